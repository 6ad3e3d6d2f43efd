"""Invented notes about invented people."""

NOTE = """\
Patient: Maria Fernandez  DOB: 03/12/1961  MRN 4458812
Address: 12 Elm Street, Springfield, IL 62704. Phone (217) 555-0143. Email maria.f@example.org
Mrs Fernandez is a 62-year-old woman who was admitted on 4 March 2021 with pneumonia. She is \
HIV-positive and takes zidovudine and lamivudine. Her CD4 count is 200.
She drinks too much alcohol. Depression is treated with sertraline. Seen by Dr. John Smith at \
Mercy Hospital on 14 March 2021.

Her grandfather is 93 years old. No history of syphilis. SSN 123-45-6789. Maria lives in Toronto.
Type 2 diabetes is well controlled with metformin. AIDS is caused by HIV.
"""
HEALTH = """\
HIV is a virus that attacks the immune system. She has an HIV infection, and AIDS came later.
Zidovudine and lamivudine are taken daily; the CD4 count was low. Unprotected sex is a risk.

Type 2 diabetes, hypertension and asthma are stable. A chest X-ray showed pneumonia. There is no
history of syphilis. He drinks too much and was drunk at work. Depression came with insomnia.
"""
