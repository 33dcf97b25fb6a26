// @ts-check
export const diskFull = 13;
/** SQLite's primary result codes caused by the machine, not by our code. The writer thread uses them, too. */
export const machineFaults = new Map([
  [5, "The database is locked by another program."],
  [6, "The database is locked by another program."],
  [7, "The machine has no memory left for the database."],
  [8, "The database cannot be written: it is read-only."],
  [10, "The disk failed while the database was in use."],
  [11, "The database file is damaged."],
  [diskFull, "The disk is full: nothing was written."],
  [14, "The database file cannot be opened."],
  [26, "The database file is not a database."],
]);
