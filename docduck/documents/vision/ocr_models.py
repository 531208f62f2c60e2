"""The two networks (PP-OCRv6 small, from the rapidocr wheel), loaded once per process at first use.

Only the package's model files are used: ONNX Runtime is called directly, which returns each character's place
in its line.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
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

    def run(self, array: Any) -> Any:
        """Return the network's output for a float32 array of batch × 3 × height × width."""
        return self.session.run(None, {self.input_name: array})[0]


@lru_cache(maxsize=4)
def load(file_name: str, threads: int) -> Network:
    """Return the model ``file_name`` on ``threads`` threads; it is kept for the life of the process."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Pages differ in size, so planned memory patterns never repeat: without them 955 MB instead of 1,240.
    options.enable_cpu_mem_arena = True
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
