"""Attribution: which person each health fact and each identifier of a file belongs to.

In: Case with findings and mentions.  Out: subjects, links with a chance, findings with a person.
"""
