"""Reading files of any format to one ``Document`` of pages with words and boxes.

``reader.read`` is the entry; ``formats`` has a reader for each format, ``detection`` recognises the format,
``vision`` reads pictures, ``geometry`` puts words in lines and order. ``render`` draws pages.
"""
