"""The two networks (PP-OCRv6 small, from the rapidocr wheel), loaded once per process at first use.

Only the package's model files are used: ONNX Runtime is called directly, which returns each character's place
in its line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docduck.documents.vision.scripts import western_form
from docduck.errors import Defect

DETECTION = "PP-OCRv6_det_small.onnx"
RECOGNITION = "PP-OCRv6_rec_small.onnx"


@dataclass(frozen=True, slots=True)
class Network:
    """A loaded model with one output.

    ``characters`` are those that a recogniser can read, by class; ``western_characters`` are those of pages
    in Western scripts, and ``western_classes`` are their classes.
    """

    session: Any
    input_name: str
    characters: tuple[str, ...]
    western_characters: tuple[str, ...]
    western_classes: NDArray[np.int64]

    def run(self, array: Any, *, keep_memory: bool = True) -> Any:
        """Return the network's output for a float32 array of batch × 3 × height × width.

        Give the memory back to the system afterwards unless ``keep_memory``: a whole page takes a gigabyte,
        and what it has reserved doesn't fit a page of another size.
        """
        return self.session.run(None, {self.input_name: array}, None if keep_memory else _giving_back())[0]


@cache
def _giving_back() -> Any:
    import onnxruntime

    options = onnxruntime.RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options


@cache
def _reserve_exactly() -> None:
    """Have this process's networks reserve the memory that they need; by default it is doubled each time."""
    import onnxruntime

    memory = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    exact = onnxruntime.OrtArenaCfg({"arena_extend_strategy": 1})
    onnxruntime.create_and_register_allocator(memory, exact)


@lru_cache(maxsize=4)
def load(file_name: str, threads: int) -> Network:
    """Return the model ``file_name`` on ``threads`` threads; it is kept for the life of the process."""
    import onnxruntime

    _reserve_exactly()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.use_env_allocators", "1")
    # Pages differ in size, so planned memory patterns never repeat.
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(
        str(_models_folder() / file_name), options, providers=["CPUExecutionProvider"]
    )
    alphabet = session.get_modelmeta().custom_metadata_map.get("character", "")
    # Class 0 is CTC's blank, the one after the alphabet is the space.
    characters = ("", *alphabet.splitlines(), " ") if alphabet else ()
    western = {
        number: form
        for number, character in enumerate(characters)
        if (form := western_form(character)) is not None
    }
    return Network(
        session,
        session.get_inputs()[0].name,
        characters,
        tuple(western.values()),
        np.array(list(western), np.int64),
    )


def _models_folder() -> Path:
    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise Defect("OCR needs the package rapidocr for its models; install docduck with its dependencies")
    return Path(spec.origin).parent / "models"
