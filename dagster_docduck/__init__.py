"""docduck in other Dagster projects.

Begin with ``DocduckIOManager``, by which assets take docduck's tables, and ``DocduckComponent``, which runs
docduck inside of a project.
"""

from dagster_docduck.automation import AFTER_NEW_ROWS
from dagster_docduck.component import DocduckComponent
from dagster_docduck.io_manager import DocduckIOManager

__all__ = ["AFTER_NEW_ROWS", "DocduckComponent", "DocduckIOManager"]
