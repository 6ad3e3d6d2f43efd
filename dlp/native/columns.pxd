# What kernels share that keep columns of numbers: room for them, and the place of one among sorted ones.


cdef inline long long[::1] room_for(Py_ssize_t many):
    return memoryview(bytearray(sizeof(long long) * many)).cast("q")


cdef inline long long[::1] longer(const long long[::1] numbers):
    """The same numbers in twice the room."""
    cdef long long[::1] room = room_for(2 * len(numbers))
    room[: len(numbers)] = numbers
    return room


cdef inline Py_ssize_t first_at_least(const long long[::1] places, Py_ssize_t many, Py_ssize_t least) except -1:
    """How many of the first `many` places, which are sorted, are less."""
    cdef Py_ssize_t low = 0, high = many, middle
    while low < high:
        middle = (low + high) // 2
        if places[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low
