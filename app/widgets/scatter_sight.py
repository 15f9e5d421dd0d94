"""Which part of a map is in sight, and the way from one part to another."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, QVariantAnimation, Signal

from app.widgets.scatter_camera import Camera
from app.widgets.scatter_picture import fitted_camera
from app.widgets.scatter_points import Truths
from app.widgets.scatter_scene import ScatterScene

_AROUND = 0.04  # of the map's width, the least that is shown of a place
_GLIDE_MS = 220


class ScatterSight(QObject):
    """Owns the camera. Once all of the map is seen it stays seen, whatever the size."""

    changed = Signal()

    def __init__(self, parent: QObject, scene: ScatterScene) -> None:
        super().__init__(parent)
        self._scene = scene
        self._camera = Camera(0.5, 0.5, 1.0, 1.0, 1.0)
        self._fits = True
        self._covered: tuple[QRectF, ...] = ()
        self._kept: tuple[float, float, float] | None = None  # middle and scale, caller's units
        self._target: Camera | None = None
        self._glide = QVariantAnimation(self)
        self._glide.setDuration(_GLIDE_MS)
        self._glide.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._glide.setStartValue(0.0)
        self._glide.setEndValue(1.0)
        self._start = self._camera
        self._glide.valueChanged.connect(self._step)

    @property
    def camera(self) -> Camera:
        return self._camera

    @property
    def is_fitted(self) -> bool:
        """Whether all of the map is in sight."""
        return self._fits

    def keep(self, *, view: bool) -> None:
        """Before other points come: remember the part in sight, or see all of the new ones."""
        points, camera = self._scene.points, self._target or self._camera
        self._kept = None
        if view and points.count and not self._fits:
            self._kept = (*points.from_unit(camera.x, camera.y), camera.scale / points.span)
        self._fits = self._kept is None

    def take_points(self) -> None:
        """Other points have come: see what was seen before, or all."""
        if self._kept is None:
            self.fit()
            return
        x, y, scale = self._kept
        points = self._scene.points
        across, up = points.to_unit(x, y)
        self._jump(replace(self._camera, x=across, y=up, scale=scale * points.span))

    def resize(self, width: float, height: float) -> None:
        camera = (self._target or self._camera).resized(width, height)
        self._jump(self._whole(camera) if self._fits else camera)

    def keep_clear(self, covered: Sequence[QRectF]) -> None:
        """From now on see all points beside these parts of the view, which something covers."""
        if tuple(covered) != self._covered:
            self._covered = tuple(covered)
            if self._fits:
                self._jump(self._whole(self._target or self._camera))

    def fit(self, *, glide: bool = False) -> None:
        """See all points, and the names at the rim."""
        self._fits = True
        self._go(self._whole(self._camera), glide=glide)

    def fit_to(self, mask: Truths, *, glide: bool = False) -> None:
        """See the points of `mask`, close but not closer than a clump."""
        if not np.any(mask):
            return
        box = self._scene.points.box_of_some(mask)
        wide, tall = max(_AROUND - box.width(), 0) / 2, max(_AROUND - box.height(), 0) / 2
        self._fits = False
        around = box.adjusted(-wide, -tall, wide, tall)
        camera, covered = self._camera, self._covered
        near = fitted_camera(around, camera.width, camera.height, covered=covered)
        self._go(near, glide=glide)

    def zoom(self, factor: float, about: QPointF | None = None) -> None:
        """Come closer by `factor`, about a spot of the view or its middle."""
        camera = self._camera
        self._fits = False
        middle = QPointF(camera.width / 2, camera.height / 2)
        whole = fitted_camera(self._scene.points.box, camera.width, camera.height).scale
        wanted = camera.zoomed(factor, middle).held(whole).scale
        self._jump(camera.zoomed(wanted / camera.scale, about or middle))

    def pan(self, right: float, down: float) -> None:
        self._fits = False
        self._jump(self._camera.panned(right, down))

    def sees(self, mask: Truths) -> bool:
        """Whether all points of `mask` are in sight."""
        box = self._scene.points.box_of_some(mask)
        camera = self._target or self._camera
        corners = QRectF(
            camera.to_view(box.left(), box.bottom()), camera.to_view(box.right(), box.top())
        )
        return QRectF(0, 0, camera.width, camera.height).contains(corners)

    def arrive(self) -> None:
        """End a glide where it leads to."""
        if self._target is not None:
            self._jump(self._target)

    def _whole(self, camera: Camera) -> Camera:
        points = self._scene.points
        whole = fitted_camera(points.box, camera.width, camera.height, covered=self._covered)
        return self._scene.names.with_room(whole, points.box)

    def _go(self, camera: Camera, *, glide: bool) -> None:
        if not glide or camera == self._camera:
            self._jump(camera)
            return
        self._start, self._target = self._camera, camera
        self._glide.start()

    def _jump(self, camera: Camera) -> None:
        self._glide.stop()
        self._target = None
        self._camera = camera
        self.changed.emit()

    def _step(self, share: float) -> None:
        """Between start and target: even in zoom, and in where the view's edges lie."""
        target, start = self._target, self._start
        if target is None:
            return
        if share >= 1:
            self._jump(target)
            return
        scale = start.scale ** (1 - share) * target.scale**share
        apart = 1 / target.scale - 1 / start.scale
        moved = share if abs(apart) * start.scale < 1e-6 else (1 / scale - 1 / start.scale) / apart
        self._camera = replace(
            target,
            x=start.x + (target.x - start.x) * moved,
            y=start.y + (target.y - start.y) * moved,
            scale=scale,
        )
        self.changed.emit()
