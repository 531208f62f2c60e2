"""docduck's tables in other Dagster projects. Begin with ``DocduckIOManager``."""

from dagster_docduck.io_manager import DocduckIOManager

__all__ = ["DocduckIOManager"]
