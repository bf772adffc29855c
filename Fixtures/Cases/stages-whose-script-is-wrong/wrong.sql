UPDATE Person
    SET firstNam = name;
