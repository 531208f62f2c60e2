"""What pages show of documents and samples: pictures and texts of its pages,
thumbnails, signed links, suggested fields, parsers set up from samples, the effect of a lesson.
"""
