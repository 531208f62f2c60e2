"""Documents: the inbox, and the page where a document's values are seen beside its pages and corrected.

``router`` and ``document`` make that page: ``pages`` is its picture with the zoom, ``values`` its values
and which of them is highlighted there, ``saving`` stores what was changed, ``learned`` tells what that
teaches. ``inbox`` and ``list_query`` make the list.
"""
