"""A trained encoder written as a sentence-transformers folder: whole, or not at all.

This module loads torch.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import save_file

from core.encoders.folder import DenseLayer, Normalizing
from core.encoders.loading import EncoderParts
from core.progress import Progress, Steps
from core.training.placing import RECORD, whole_folder

TITLE = "Writing the encoder"
_KEPT_KINDS = (".json", ".txt", ".md", ".model", "")  # beside weights, all that such folders need
_PLAIN_MODULES = (
    ("", "sentence_transformers.models.Transformer"),
    ("1_Pooling", "sentence_transformers.models.Pooling"),
)
_NORMALIZE = "sentence_transformers.models.Normalize"


def write_encoder(parts: EncoderParts, to: Path, *, record: Mapping[str, Any]) -> Steps[None]:
    """Write the encoder with its present weights to `to`, which must not exist yet.

    The base's files are copied except its weights; these are written in fp32 as safetensors. A
    plain transformers folder gets the modules that say how its tokens are pooled, and every
    folder ends with vectors of length 1, so that sentence-transformers gives the same vectors.
    All lies in `NAME.part` until it is complete; closing leaves nothing behind. `record` is kept
    as training.json.
    """
    with whole_folder(to, what="encoder") as part:
        write_json(part / RECORD, record)
        for done, file in enumerate(kept_files(parts.described.folder), 1):
            target = part / file.relative_to(parts.described.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            yield Progress(TITLE, done, None, "files")
        yield Progress(TITLE)
        _write_weights(parts, part)
        _write_modules(parts, part)
        yield Progress(TITLE)


def kept_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a base that its pupil takes over: all but weights and hidden ones."""
    for file in sorted(folder.rglob("*")):
        inner = file.relative_to(folder)
        hidden = any(name.startswith(".") for name in inner.parts)
        if hidden or not file.is_file() or inner.name == RECORD:
            continue
        if file.suffix in _KEPT_KINDS and not file.name.endswith(".index.json"):
            yield file


def write_json(file: Path, value: Any) -> None:
    file.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _write_weights(parts: EncoderParts, part: Path) -> None:
    inner = parts.described.transformer.relative_to(parts.described.folder)
    place = part / inner
    scratch = part / ".weights"
    # transformers knows which names weights are stored under, and which share their memory.
    parts.model.save_pretrained(scratch, max_shard_size="1TB")
    shutil.move(scratch / "model.safetensors", place / "model.safetensors")
    shutil.rmtree(scratch)
    config = json.loads((place / "config.json").read_text("utf-8"))
    for name in ("dtype", "torch_dtype"):  # else a base in half precision would round the new ones
        if name in config:
            config[name] = "float32"
    write_json(place / "config.json", config)
    steps = zip(parts.described.steps, parts.pooler.layers, strict=True)
    for step, layer in steps:
        if isinstance(step, DenseLayer) and layer is not None:
            file = part / step.weights.relative_to(parts.described.folder)
            weights = {
                f"linear.{name.removeprefix('0.')}": weight.detach().cpu().contiguous()
                for name, weight in layer.named_parameters()
            }
            save_file(weights, file)


def _write_modules(parts: EncoderParts, part: Path) -> None:
    described = parts.described
    file = part / "modules.json"
    ends_at_length_1 = bool(described.steps) and isinstance(described.steps[-1], Normalizing)
    if file.is_file():
        modules = json.loads(file.read_text("utf-8"))
    else:
        modules = [_module(place, path, kind) for place, (path, kind) in enumerate(_PLAIN_MODULES)]
        (part / "1_Pooling").mkdir(exist_ok=True)
        write_json(
            part / "1_Pooling" / "config.json",
            {
                "word_embedding_dimension": parts.pooler.dimension,
                **{
                    f"pooling_mode_{name}": name == "mean_tokens"
                    for name in ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")
                },
            },
        )
        write_json(
            part / "sentence_bert_config.json",
            {"max_seq_length": parts.max_tokens, "do_lower_case": False},
        )
    if not ends_at_length_1:
        place = 1 + max(int(module["idx"]) for module in modules)
        modules.append(_module(place, f"{place}_Normalize", _NORMALIZE))
        write_json(file, modules)


def _module(place: int, path: str, kind: str) -> dict[str, Any]:
    return {"idx": place, "name": str(place), "path": path, "type": kind}
