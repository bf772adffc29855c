UPDATE Person SET firstName = substr(name, 1, instr(name || ' ', ' ') - 1),
    lastName = nullif(substr(name, instr(name || ' ', ' ') + 1), '');
