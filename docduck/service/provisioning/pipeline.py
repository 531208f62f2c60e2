"""Application of pipeline.yaml to the catalog. Only fields and review stages are ever deleted."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from docduck import templates
from docduck.errors import InputError
from docduck.fields import Field
from docduck.ids import name_key
from docduck.service.classifiers.classifier_listing import list_classifiers
from docduck.service.core.installation import Installation
from docduck.service.outputs.warehouse_sync import schema_of
from docduck.service.parsers.field_settings import with_field_ids
from docduck.service.parsers.parser_settings import different_settings, merge_settings
from docduck.service.parsers.parsers import (
    NewParser,
    ParserChanges,
    ParserView,
    create_parser,
    get_parser,
    list_parsers,
    set_fields,
    update_parser,
)
from docduck.service.pipeline.bounds import bounds_of
from docduck.service.pipeline.export_specs import ExportSpec
from docduck.service.pipeline.pipeline_spec import FieldSpec, ParserSpec, Pipeline, load_pipeline
from docduck.service.pipeline.source_specs import MailboxSpec, SourceSpec
from docduck.service.provisioning.classifiers import apply_classifiers
from docduck.service.provisioning.export_layouts import apply_layouts
from docduck.service.provisioning.post_processing import apply_post_processing
from docduck.service.provisioning.review_stages import apply_stages
from docduck.service.provisioning.upload_pages import apply_upload_page
from docduck.service.provisioning.webhooks import apply_webhooks
from docduck.service.uploads.upload_pages import PageOwner
from docduck.warehouse.layout import layout_of

__all__ = ["ExportSpec", "ParserSpec", "Pipeline", "SourceSpec", "apply_pipeline", "load_pipeline"]

NOTHING = "nothing to change"
_COMPARED = ("type", "description", "instructions", "required", "options", "labels", "extract")


def apply_pipeline(inst: Installation, team_id: str, pipeline: Pipeline) -> list[str]:
    """Create missing parsers and classifiers and change those that differ; return messages about the changes.

    Idempotent. Those missing in the file are reported and left alone. Raise InputError with all problems,
    if possible before anything is changed.
    """
    present = {parser.slug: parser for parser in list_parsers(inst, team_id)}
    classifiers = {
        ref for classifier in list_classifiers(inst, team_id) for ref in (classifier.name, classifier.id)
    }
    _check_references(pipeline, present, classifiers)
    done: list[str] = []
    problems: list[tuple[str, str]] = []
    for index, spec in enumerate(pipeline.parsers):
        try:
            known = present.get(spec.key)
            done += _create(inst, team_id, spec) if known is None else _change(inst, team_id, spec, known)
            done += apply_post_processing(inst, team_id, spec)
            done += apply_layouts(inst, team_id, spec)
            done += apply_upload_page(inst, team_id, PageOwner("parser", spec.key), spec.upload_page)
            if spec.review is not None:
                parser = get_parser(inst, team_id, spec.key)
                done += apply_stages(inst, team_id, parser, spec.review)
            done += apply_webhooks(inst, team_id, spec)
            if spec.checks:
                bounds_of(layout_of(schema_of(get_parser(inst, team_id, spec.key))), spec.checks)
        except InputError as error:
            place = f"parsers[{index}]" + (f".{error.path}" if error.path else "")
            problems.append((place, error.message))
    if problems:
        raise pipeline.error(problems)
    named = {spec.key for spec in pipeline.parsers}
    others = [slug for slug in present if slug not in named]
    classified, left = apply_classifiers(inst, team_id, pipeline)
    unnamed = [f"{slug}: is in the catalog and not in the file; left" for slug in others]
    return (done + classified or [NOTHING]) + unnamed + left


def _check_references(
    pipeline: Pipeline, present: Mapping[str, ParserView], classifiers: Collection[str]
) -> None:
    known = {spec.key for spec in pipeline.parsers} | {spec.name for spec in pipeline.parsers}
    for parser in present.values():
        known |= {parser.slug, parser.name, parser.id}
    specs: list[tuple[str, Sequence[SourceSpec | ExportSpec]]] = [
        ("sources", pipeline.sources),
        ("exports", pipeline.exports),
    ]
    problems = [
        (f"{key}[{index}].parser", f"no parser is called '{item.parser}', in this file or in the catalog")
        for key, items in specs
        for index, item in enumerate(items)
        if item.parser is not None and item.parser not in known
    ]
    labels = {classifier.name for classifier in pipeline.classifiers} | {*classifiers}
    problems += [
        (
            f"sources[{index}].classifier",
            f"no classifier is called '{source.classifier}', in this file or in the catalog",
        )
        for index, source in enumerate(pipeline.sources)
        if source.classifier is not None and source.classifier not in labels
    ]
    problems += [
        (f"classifiers[{index}].{key}", f"no parser is called '{ref}', in this file or in the catalog")
        for index, classifier in enumerate(pipeline.classifiers)
        for key, ref in classifier.targets
        if ref not in known
    ]
    problems += [
        (f"sources[{index}].ca", f"there is no file {source.ca}")
        for index, source in enumerate(pipeline.sources)
        if isinstance(source, MailboxSpec) and source.ca is not None and not source.ca.is_file()
    ]
    if problems:
        raise pipeline.error(problems)


def _create(inst: Installation, team_id: str, spec: ParserSpec) -> list[str]:
    made = create_parser(
        inst,
        team_id,
        NewParser(
            name=spec.name,
            description=spec.description,
            slug=spec.key,
            template_key=spec.template,
            fields=_target_fields(spec, ()),
            settings=spec.settings,
            is_active=spec.active is not False,
        ),
    )
    return [f"{made.slug}: created with {len(made.fields)} fields"]


def _change(inst: Installation, team_id: str, spec: ParserSpec, parser: ParserView) -> list[str]:
    done: list[str] = []
    fields = _target_fields(spec, parser.fields)
    if fields is not None:
        differences = _differences("", parser.fields, fields)
        if differences or parser.problem:
            parser = set_fields(inst, team_id, parser.id, fields)
            done += [f"{parser.slug}: {words}" for words in differences or ["fields repaired"]]
    changed = _change_properties(inst, team_id, spec, parser)
    return changed + done


def _change_properties(inst: Installation, team_id: str, spec: ParserSpec, parser: ParserView) -> list[str]:
    """Change everything but the fields, to which settings may refer."""
    done: list[str] = []
    template = templates.load(spec.template) if spec.template else None
    name = spec.name or (template.name if template else None)
    description = spec.description
    if description is None and template is not None:
        description = template.description
    values = {**(template.settings if template else {}), **spec.settings}
    settings = with_field_ids(merge_settings({}, values), parser.fields)
    if name is not None and name.strip() != parser.name:
        done.append(f"{parser.slug}: name is now '{name}'")
    if description is not None and description != parser.description:
        done.append(f"{parser.slug}: description changed")
    if spec.active is not None and spec.active != parser.is_active:
        done.append(f"{parser.slug}: is now {'active' if spec.active else 'inactive'}")
    different = different_settings(parser.settings, settings)
    done += [f"{parser.slug}: setting {key} changed" for key in different]
    if done:
        changes = ParserChanges(name, description, spec.active, {key: settings[key] for key in different})
        update_parser(inst, team_id, parser.id, changes, place="settings")
    return done


def _target_fields(spec: ParserSpec, present: Sequence[Field]) -> list[Field] | None:
    """Return the fields in the file, with the ids of existing ones; None if it has none.

    With a template, a field replaces the template's field of the same name or is added.
    """
    if spec.fields is None and spec.template is None:
        return None
    own: list[FieldSpec | Field] = list(spec.fields or ())
    if spec.template is not None:
        by_name = {name_key(field.name): field for field in own}
        ready = templates.load(spec.template).fields
        names = {name_key(field.name) for field in ready}
        own = [by_name.get(name_key(field.name), field) for field in ready] + [
            field for field in own if name_key(field.name) not in names
        ]
    return _with_ids(own, present)


def _with_ids(specs: Sequence[FieldSpec | Field], present: Sequence[Field]) -> list[Field]:
    by_name = {name_key(field.name): field for field in present}
    renamed = {
        name_key(field.name): by_name[name_key(field.was)]
        for field in specs
        if isinstance(field, FieldSpec)
        and field.was is not None
        and name_key(field.name) not in by_name
        and name_key(field.was) in by_name
    }
    taken = {field.id for field in renamed.values()}
    result: list[Field] = []
    for field in specs:
        known = renamed.get(name_key(field.name)) or by_name.get(name_key(field.name))
        if known is not None and name_key(field.name) not in renamed and known.id in taken:
            known = None
        values = field.model_dump(exclude={"id", "position", "columns", "was"})
        columns = _with_ids(field.columns, known.columns if known else ())
        result.append(Field(**values, id=known.id if known else None, columns=tuple(columns)))
    return result


def _differences(table: str, present: Sequence[Field], fields: Sequence[Field]) -> list[str]:
    """Return messages about differing fields; ``table`` is the table if they are columns."""
    kind, within = ("column", f" of {table}") if table else ("field", "")
    before = {field.id: field for field in present}
    words: list[str] = []
    for field in fields:
        old = before.get(field.id)
        if old is None:
            words.append(f"{kind} {field.name}{within} added")
            continue
        if old.name != field.name.strip():
            words.append(f"{kind} {old.name}{within} renamed to {field.name}")
        changed = [name for name in _COMPARED if getattr(old, name) != getattr(field, name)]
        if changed:
            words.append(f"{kind} {field.name}{within} changed ({', '.join(changed)})")
        if old.columns or field.columns:
            words += _differences(field.name, old.columns, field.columns)
    ids = {field.id for field in fields}
    words += [f"{kind} {field.name}{within} removed" for field in present if field.id not in ids]
    if [f.id for f in fields if f.id in before] != [f.id for f in present if f.id in ids]:
        words.append(f"order of the {kind}s{within} changed")
    return words
