from tools.training.documents import synthetic_documents


def test_sender_documents_are_deterministic() -> None:
    first, second = synthetic_documents(17, 2), synthetic_documents(17, 2)
    assert [one.truth for one in first] == [one.truth for one in second]
    assert [one.document for one in first] == [one.document for one in second]
    assert synthetic_documents(18, 1)[0].document != first[0].document
