#!/bin/sh
# See that Debian or Ubuntu has what the window and the virtual environment need; other systems
# bring it along. Installs what is missing when run as root, else says the command.
set -eu
command -v dpkg-query >/dev/null 2>&1 || exit 0

has() { # newer releases add t64 to some names
    dpkg-query -W -f='${Status}\n' "$1" "$1t64" 2>/dev/null | grep -q 'ok installed'
}

missing=""
for package in python3-venv libegl1 libgl1 libglib2.0-0 libfontconfig1 libdbus-1-3 \
    libxkbcommon0 libxkbcommon-x11-0 libx11-xcb1 libxcb-cursor0 libxcb-icccm4 libxcb-image0 \
    libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-shm0 libxcb-sync1 \
    libxcb-xfixes0 libwayland-cursor0 fonts-dejavu-core; do
    has "$package" || missing="$missing $package"
done
# A Python that was not installed by the system brings its own venv.
if "${PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null; then
    missing=$(echo "$missing" | sed 's/ python3-venv//')
fi
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then
    echo "Installing system packages:$missing"
    # A repository that cannot be reached need not be the one that has them.
    apt-get update -qq || true
    # shellcheck disable=SC2086 # a list of names, one argument each
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null
else
    echo "These system packages are missing; install them, then run make again:"
    echo "  sudo apt-get install$missing"
    exit 1
fi
