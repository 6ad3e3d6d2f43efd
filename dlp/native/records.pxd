# What kernels share that make named tuples, or read them: tuple.__new__ makes a tuple of the fields
# first, and Cython asks the length of a tuple for each field anew.
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_SET_ITEM

cdef extern from *:
    """
    static inline PyObject *DLP_RECORD(PyObject *kind, Py_ssize_t fields) {
        PyTupleObject *made = PyObject_GC_NewVar(PyTupleObject, (PyTypeObject *)kind, fields);
        Py_ssize_t place;
        if (made)
            for (place = 0; place < fields; place++) made->ob_item[place] = NULL;
        return (PyObject *)made;
    }
    """
    # Every field is set at once, with a plain value: it is part of no cycle, and who looks for cycles
    # need not walk through thousands of them, so it is made without a word to them.
    tuple new_record "DLP_RECORD"(object kind, Py_ssize_t fields)


cdef inline int check_record(kind, Py_ssize_t fields) except -1:
    """That a type is a tuple with so many names and nothing else."""
    if not (isinstance(kind, type) and issubclass(kind, tuple) and len(kind._fields) == fields
            and kind.__basicsize__ == tuple.__basicsize__):
        raise TypeError("no named tuple of so many fields")
    return 0


cdef inline void set_field(tuple record, Py_ssize_t place, object value) noexcept:
    """Of a new record, each place once."""
    Py_INCREF(value)
    PyTuple_SET_ITEM(record, place, value)


cdef inline object field(tuple record, Py_ssize_t place):
    """Of a record whose length was compared."""
    return <object>PyTuple_GET_ITEM(record, place)
