"""Build a PDF form: labels drawn on a page, fields, boxes and buttons beside them.

In: labels and values, one by one.  Out: the bytes of the file.
"""

import io

import pikepdf
from pikepdf import Array, Dictionary, Name, String


class FormBuilder:
    """Draws labels and widgets from the top of a page down."""

    def __init__(self, names):
        self.pdf = pikepdf.new()
        self.page = self.pdf.add_blank_page(page_size=(595, 842))
        self.fields, self.shows, self.y = [], [], 800
        self.names = names

    def show(self, x, y, words):
        self.shows.append(f"BT /F1 9 Tf {x} {y} Td ({words}) Tj ET")

    def name(self, label):
        number = len(self.fields) + 1
        return {
            "opaque": f"Text{number}",
            "xfa": f"topmostSubform[0].Page1[0].f1_{number:02d}[0]",
            "words": label,
        }[self.names]

    def widget(self, x, y, width=11, **more):
        box = Array([x, y - 2, x + width, y + 9])
        made = Dictionary(Type=Name.Annot, Subtype=Name.Widget, Rect=box, P=self.page.obj, **more)
        return self.pdf.make_indirect(made)

    def text(self, label, value, *, above=False, tooltip=""):
        self.show(45, self.y, f"{label}:")
        x = 45 if above else 260
        self.y -= 16 if above else 0
        more = {"TU": String(tooltip)} if tooltip else {}
        if value:
            more["V"] = String(value)
        self.fields.append(
            self.widget(x, self.y, 250, FT=Name.Tx, T=String(self.name(label)), **more)
        )
        self.y -= 24

    def looks(self, choice):
        blank = self.pdf.make_stream(b"")
        return Dictionary(N=Dictionary({f"/{choice}": blank, "/Off": blank}))

    def box(self, label, *, ticked, export="Yes"):
        state = Name(f"/{export}" if ticked else "/Off")
        self.fields.append(
            self.widget(60, self.y, FT=Name.Btn, T=String(self.name(label)), AS=state, V=state,
                        AP=self.looks(export))
        )  # fmt: skip
        self.show(76, self.y, label)
        self.y -= 18

    def radio(self, question, answer):
        self.show(45, self.y, question)
        group = self.pdf.make_indirect(
            Dictionary(FT=Name.Btn, Ff=1 << 15, T=String(self.name(question)), Kids=Array([]))
        )
        if answer:
            group.V = Name(f"/{answer}")
        for x, option in ((455, "Yes"), (505, "No")):
            state = Name(f"/{option}" if option == answer else "/Off")
            group.Kids.append(self.widget(x, self.y, Parent=group, AS=state, AP=self.looks(option)))
            self.show(x + 15, self.y, option)
        self.fields.append(group)
        self.y -= 24

    def choice(self, label, value):
        self.show(45, self.y, label)
        more = {"V": String(value)} if value else {}
        self.fields.append(
            self.widget(260, self.y, 200, FT=Name.Ch, T=String(self.name(label)), **more)
        )
        self.y -= 24

    def bytes(self):
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        self.page.obj.Resources = Dictionary(Font=Dictionary(F1=font))
        self.page.obj.Contents = self.pdf.make_stream("\n".join(self.shows).encode())
        widgets = []
        for one in self.fields:
            widgets += list(one.Kids) if "/Kids" in one else [one]
        self.page.obj.Annots = Array(widgets)
        self.pdf.Root.AcroForm = Dictionary(Fields=Array(self.fields))
        out = io.BytesIO()
        self.pdf.save(out)
        return out.getvalue()
