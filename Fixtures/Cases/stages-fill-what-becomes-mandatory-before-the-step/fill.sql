UPDATE Person SET name = 'nobody' WHERE name IS NULL;
