UPDATE Book SET title = 'Book ' || isbn;
