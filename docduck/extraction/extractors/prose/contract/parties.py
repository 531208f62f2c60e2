"""The parties of a contract with their roles, from the sentence that introduces them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property

from docduck.extraction.extractors.prose.contract.signatures import Signatures
from docduck.extraction.extractors.prose.lexicon import any_of
from docduck.extraction.extractors.prose.text.prose import Prose
from docduck.extraction.extractors.prose.values import names

_HEAD = 30000
_NEAR_START = 400
"""Characters at the beginning where an introduction needs no word for the agreement before it."""
_MAX_INTRODUCTION = 2200
"""Maximum length of the introduction of the parties."""
_AND = r"(?:and|und|et|y|e|ed|en|&)"
_ITEM = r"(?:\(?(?:\d{1,2}|[ivx]{1,4}|[a-z])[.)]\s*)?"
_QUOTED = re.compile(r"[“\"„«”‘']\s*([^“”\"„«»‘\n]{2,60}?)\s*[,.]?[”\"“»’']")
_AS_ROLE = re.compile(
    r"\b(?:as|hereinafter(?:\s+called|\s+referred\s+to\s+as)?|hereafter|nachfolgend)\s+(?:the\s+)?([A-Z][\w-]+(?:\s[A-Z][\w-]+)?)"
)
_SUBSIDIARIES = re.compile(r"subsidiar|affiliat|division|tochter|filial", re.IGNORECASE)
_LAWS = re.compile(r"laws?\s+of\s+(?:the\s+)?(?:[\w.]+\s+){0,4}$", re.IGNORECASE)
_COLLECTIVELY = re.compile(
    r"\(\s*(?:collectively|together|jointly|zusammen|gemeinsam|ensemble|conjuntamente|congiuntamente|gezamenlijk)\b",
    re.I,
)
_THE_ROLE = re.compile(
    r"\bthe\s+(?:company|corporation|bank|employee|executive|part(?:y|ies)|board)\b(?!\s+of\s+[A-Z])",
    re.IGNORECASE,
)
_THE = re.compile(r"(?:the|die|der)\s+$", re.IGNORECASE)
_DEFINED = re.compile(
    r"\s*,?(?:\s+(?:an?|and\s+its|together\s+with|including|whose|having)\s[^()]{3,130}?)?\s*"
)
_COMPANY_TERM = re.compile(r"\([^()“\"]{0,80}[“\"](?:Company|Corporation|Employer|Bank)[,.]?[”\"]")
_TERM = re.compile(r"\((?:the\s+|herein\w*\s+)?[“\"](?P<term>[A-Z][^“”\"]{1,40}?)[,.]?[”\"]\)")
_DEFINITIONS, _DEFINED_WITHIN = 4500, 260


@cache
def _intro() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){any_of('party_intro')}(?![\w-])\s*:?\s*", re.IGNORECASE)


@cache
def _agreement() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){any_of('agreement_named')}", re.IGNORECASE)


@cache
def _clause_end() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){any_of('clause_end')}", re.IGNORECASE)


@cache
def _before_party() -> re.Pattern[str]:
    """Return the pattern before a party: beginning of the clause, separator, "and", number or article."""
    honorific = rf"(?i:{any_of('honorific')}\s+)?"
    article = r"(?:(?:the|die|der|la|le|el|il)\s+)?"
    return re.compile(
        rf"(?:^|[,;)”\"“»\n]|\s[–—-]|\b{_AND})[\s–—-]*{_ITEM}(?:{_AND}\s+)?{_ITEM}{article}{honorific}$"
    )


@cache
def _described() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:,|[–—-]\s|;)?\s*{any_of('party_description')}", re.IGNORECASE)


@dataclass(slots=True)
class ContractParty:
    """A party: its name, the span of the name, and its roles in the contract."""

    name: str
    start: int
    end: int
    roles: list[str] = field(default_factory=list)
    weight: float = 0.78


class ContractParties:
    """The parties of one document."""

    def __init__(self, prose: Prose, signatures: Signatures) -> None:
        self.prose = prose
        self.signatures = signatures

    @cached_property
    def introduced(self) -> list[ContractParty]:
        """The parties of the introducing sentence with the most parties."""
        best: list[ContractParty] = []
        for match in _intro().finditer(self.prose.text, 0, min(len(self.prose), _HEAD)):
            before = self.prose.text[max(match.start() - 350, 0) : match.start()]
            if match.start() > _NEAR_START and not _agreement().search(before):
                continue
            parties = self._clause(match.end())
            if len(parties) >= 2:
                return parties
            if len(parties) > len(best):
                best = parties
        return best

    def _clause(self, start: int) -> list[ContractParty]:
        text = self.prose.text
        limit = min(len(text), start + _MAX_INTRODUCTION)
        stop = _clause_end().search(text, start, limit)
        if stop:
            limit = stop.start()
        limit = self._sentence_end(start, limit)
        depth, at, parties = 0, start, list[ContractParty]()
        while at < limit:
            char = text[at]
            if char in "([":
                depth += 1
            elif char in ")]":
                depth = max(depth - 1, 0)
            elif depth == 0 and (char.isupper() or char.isdigit()) and self._may_begin_party(start, at):
                match = names.match_name(text, at, limit)
                if match is not None and self._is_party(match, start, limit, parties):
                    name = names.without_honorific(names.tidy(match[0]))
                    begin = (
                        at - len(the[0])
                        if (the := _THE.search(text, start, at))
                        and text[at - 2].islower()
                        and the[0][0] == "T"
                        else at
                    )
                    if begin < at:
                        name = f"The {name}"
                    self._set_roles(parties, at)
                    parties.append(ContractParty(name, begin, match.end()))
                    at = match.end()
                    continue
                at = _next_word(text, at, limit)
                continue
            at += 1
        self._set_roles(parties, limit)
        return parties

    def _sentence_end(self, start: int, limit: int) -> int:
        """Return the end of the sentence that begins the introduction, not inside parentheses."""
        end = start
        while end < limit:
            end = max(self.prose.sentence(end)[1], end + 1)
            part = self.prose.text[start:end]
            if part.count("(") <= part.count(")") and "\n\n" not in part[-3:]:
                break
            if "\n\n" in part[-3:] and part.rstrip().endswith("."):
                break
        return min(end, limit)

    def _may_begin_party(self, start: int, at: int) -> bool:
        return _before_party().search(self.prose.text[max(start, at - 60) : at]) is not None

    def _is_party(self, match: re.Match[str], start: int, limit: int, parties: list[ContractParty]) -> bool:
        text = self.prose.text
        name = names.tidy(match[0])
        if len(name) < 3 or names.is_role(name) or not any(c.islower() or c.isupper() for c in name):
            return False
        if _THE_ROLE.search(name) or names.is_legal_form(name):
            return False
        if set(name.upper()) <= {"X", " ", "_"} or name.isdigit():
            return False
        before = text[max(start, match.start() - 60) : match.start()]
        if re.search(r"\b(?:and|und|et|y|e|en)\s+$", before) and _LAWS.search(
            before[: before.rstrip().rfind(" ")] + " "
        ):
            return False
        company = names.is_company(name)
        if parties:
            between = text[parties[-1].end : match.start()]
            subsidiaries = _SUBSIDIARIES.search(between)
            if subsidiaries is not None and ")" not in between[subsidiaries.start() :]:
                return False
            joined = re.search(r"\b(?:and|und|et|y|e|ed|en|&)[\s(\w.]{0,12}$", between) or re.search(
                r"(?:[);”\"“]|\n\n)[\s,;]*$", between
            )
            if not joined and not (company and re.search(r",\s*$", between)):
                return False
        if (
            not company
            and not names.is_person(name)
            and not re.match(r"\s*,?\s*[(“\"„«]", text[match.end() : limit])
        ):
            return False
        return _described().match(text[match.end() : limit]) is not None or company

    def _set_roles(self, parties: list[ContractParty], until: int) -> None:
        """Set the last party's roles to the terms defined between it and ``until``."""
        if not parties or parties[-1].roles:
            return
        span = self.prose.text[parties[-1].end : until][:700]
        terms = [" ".join(term.split()) for term in _QUOTED.findall(span)]
        terms += [term for term in _AS_ROLE.findall(span) if term not in terms]
        roles = [term for term in terms if len(term.split()) <= 5]
        parties[-1].roles = roles
        if roles and _COLLECTIVELY.search(span):
            for party in reversed(parties[:-1]):
                if party.roles:
                    break
                party.roles = list(roles)

    @cached_property
    def all(self) -> list[ContractParty]:
        """Every party: introduced, else named in definitions or signatures."""
        parties = list(self.introduced)
        if len(parties) < 2:
            for party in (*self._defined_together(), *self._defined_as_company(), *self._signed()):
                if not any(names.is_same_name(party.name, other.name) for other in parties):
                    parties.append(party)
        return parties

    def _defined_together(self) -> list[ContractParty]:
        """Return the names that one sentence defines side by side: A (“X”) and B (“Y”)."""
        spans: dict[int, list[ContractParty]] = {}
        for match in _TERM.finditer(self.prose.text, 0, min(len(self.prose), _DEFINITIONS)):
            party = self._name_before(match.start())
            if party is not None and (names.is_company(party.name) or names.is_person(party.name)):
                party.roles, party.weight = [match["term"]], 0.66
                spans.setdefault(self.prose.sentence(party.start)[0], []).append(party)
        return next((parties for parties in spans.values() if len(parties) > 1), [])

    def _defined_as_company(self) -> list[ContractParty]:
        """Return organisations that the beginning defines as "the Company"."""
        parties = []
        for match in _COMPANY_TERM.finditer(self.prose.text, 0, min(len(self.prose), _DEFINITIONS)):
            party = self._name_before(match.start())
            if party is not None:
                alias = re.compile(rf"\([^()“\"]{{0,40}}[“\"]{re.escape(party.name)}[,.]?[”\"]")
                defined_alias = alias.search(self.prose.text, 0, party.start)
                party = (self._name_before(defined_alias.start()) if defined_alias else None) or party
                parties.append(ContractParty(party.name, party.start, party.end, ["Company"], 0.6))
        return parties[:2]

    def _name_before(self, term: int) -> ContractParty | None:
        """Return the name that the definition at ``term`` defines."""
        text = self.prose.text
        line = max(text.rfind("\n\n", 0, term), term - _DEFINED_WITHIN, 0)
        for start in re.finditer(r"(?<![\w’'-])[A-Z]", text[line:term]):
            match = names.match_name(text, line + start.start(), term)
            if match is None or not _DEFINED.fullmatch(text, match.end(), term):
                continue
            name = names.tidy(match[0])
            if not names.is_role(name) and not names.is_legal_form(name):
                return ContractParty(name, match.start(), match.end())
        return None

    def _signed(self) -> list[ContractParty]:
        return [
            ContractParty(party.value, party.start, party.end, weight=party.weight)
            for party in self.signatures.parties
        ]

    def of_role(self, synonyms: tuple[str, ...]) -> list[ContractParty]:
        """Return the parties with one of the role words ``synonyms`` (lower case), tried in order."""
        for word in synonyms:
            parties = [party for party in self.all if any(_bare_role(role) == word for role in party.roles)]
            if parties:
                return parties
        return []


def _bare_role(role: str) -> str:
    low = role.casefold().strip(" .,")
    return (
        re.sub(r"^(?:the|der|die|das|den|le|la|les|el|il|l['’]|de|het)\s*(?=\w)", "", low)
        if " " in low
        else low
    )


def _next_word(text: str, at: int, limit: int) -> int:
    while at < limit and (text[at].isalnum() or text[at] in "’'.&-"):
        at += 1
    return at
