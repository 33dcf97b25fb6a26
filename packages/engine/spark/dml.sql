-- MERGE: update and insert
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *

-- MERGE: several matches of a row
INSERT INTO s VALUES (2, 'again', 21.00); MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = s.name

-- MERGE: several matches of a row, of which a condition takes one
INSERT INTO s VALUES (2, 'again', 21.00); MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.name = 'again' THEN UPDATE SET name = s.name

-- MERGE: several matches of a row, of which ON takes one
INSERT INTO s VALUES (2, 'again', 21.00); MERGE INTO t USING s ON t.id = s.id AND s.amount > 20.5 WHEN MATCHED THEN UPDATE SET name = s.name

-- MERGE: several matches of a row that is deleted
INSERT INTO s VALUES (2, 'again', 21.00); MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE

-- MERGE: several matches of a row that is deleted with a condition
INSERT INTO s VALUES (2, 'again', 21.00); MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.amount > 0 THEN DELETE

-- MERGE: several matches of a row that no clause takes
INSERT INTO s VALUES (2, 'again', 21.00); MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.amount < 0 THEN UPDATE SET name = 'x' WHEN NOT MATCHED THEN INSERT *

-- MERGE: a row of the source that is there twice is inserted twice
INSERT INTO s VALUES (5, 'again', 51.00); MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *

-- MERGE: several matches without WHEN MATCHED
INSERT INTO s VALUES (2, 'again', 21.00); MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *

-- MERGE: NULL does not match NULL
INSERT INTO t VALUES (NULL, 'n', 0); INSERT INTO s VALUES (NULL, 'm', 1); MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *

-- MERGE: NULL matches NULL by <=>
INSERT INTO t VALUES (NULL, 'n', 0); INSERT INTO s VALUES (NULL, 'm', 1); MERGE INTO t USING s ON t.id <=> s.id WHEN MATCHED THEN UPDATE SET name = s.name

-- MERGE: the first clause whose condition is true
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.id = 2 THEN UPDATE SET name = 'first' WHEN MATCHED AND s.id < 100 THEN UPDATE SET name = 'second' WHEN MATCHED THEN DELETE

-- MERGE: a condition that is NULL is not true
MERGE INTO t USING s ON t.id = s.id OR t.id = 4 AND s.id = 5 WHEN MATCHED AND t.amount > 2 THEN UPDATE SET name = 'big' WHEN MATCHED AND t.amount <= 2 THEN DELETE

-- MERGE: a clause without a condition that is not the last
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE WHEN MATCHED AND s.id = 2 THEN UPDATE SET name = 'x'

-- MERGE: NOT MATCHED clauses in order
MERGE INTO t USING s ON t.id = s.id AND s.id = 2 WHEN NOT MATCHED AND s.id = 3 THEN INSERT (id) VALUES (33) WHEN NOT MATCHED THEN INSERT (name, id) VALUES ('rest', s.id)

-- MERGE: NOT MATCHED BY SOURCE
MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN UPDATE SET name = 'gone' WHEN NOT MATCHED BY SOURCE THEN DELETE

-- MERGE: all kinds of clauses
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND t.id = 2 THEN DELETE WHEN MATCHED THEN UPDATE SET amount = t.amount + s.amount WHEN NOT MATCHED BY TARGET THEN INSERT * WHEN NOT MATCHED BY SOURCE THEN UPDATE SET amount = -1

-- MERGE: NOT MATCHED BY SOURCE with an empty source
MERGE INTO t USING (SELECT * FROM s WHERE id > 100) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED BY SOURCE THEN DELETE

-- MERGE: NOT MATCHED BY SOURCE may not read the source
MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN UPDATE SET name = s.name

-- MERGE: NOT MATCHED may not read the target
MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, t.name)

-- MERGE: the key that is read is changed
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET id = t.id + 1, amount = t.id

-- MERGE: columns swap their values
MERGE INTO p USING s ON p.a = s.id WHEN MATCHED THEN UPDATE SET a = b, b = a; SELECT * FROM p

-- MERGE: UPDATE SET * of a source with fewer columns
MERGE INTO t USING (SELECT id, name FROM s) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *

-- MERGE: INSERT * of a source with more columns
MERGE INTO t USING (SELECT *, 1 AS more FROM s) AS s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *

-- MERGE: INSERT * of a source with its columns in another order
MERGE INTO t USING (SELECT amount, name, id FROM s) AS s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *

-- MERGE: a column is assigned twice
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = 'a', name = 'b'

-- MERGE: a column is inserted twice
MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, id) VALUES (1, 2)

-- MERGE: a column that the table does not have
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET nope = 1

-- MERGE: fewer values than columns
MERGE INTO t USING s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id)

-- MERGE: a column that could be of both
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = name

-- MERGE: ON false
MERGE INTO t USING s ON false WHEN NOT MATCHED AND s.id = 5 THEN INSERT * WHEN NOT MATCHED BY SOURCE AND t.id = 1 THEN DELETE

-- MERGE: a value that does not fit
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = 1234567890123

-- MERGE: digits are rounded
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = s.amount + 0.005

-- MERGE: NOT NULL in an insert
MERGE INTO nn USING s ON nn.id = s.id WHEN NOT MATCHED THEN INSERT (name) VALUES (s.name); SELECT * FROM nn

-- MERGE: NOT NULL in an update
MERGE INTO nn USING s ON nn.id = s.id - 1 WHEN MATCHED THEN UPDATE SET id = NULL; SELECT * FROM nn

-- INSERT: NOT NULL
INSERT INTO nn VALUES (NULL, 'x'); SELECT * FROM nn

-- INSERT: NOT NULL of a column that is left out
INSERT INTO nn (name) VALUES ('x'); SELECT * FROM nn

-- INSERT: NOT NULL in one of several rows
INSERT INTO nn VALUES (7, 'x'), (NULL, 'y'); SELECT * FROM nn

-- INSERT OVERWRITE: NOT NULL
INSERT OVERWRITE nn SELECT CAST(NULL AS INT), 'x'; SELECT * FROM nn

-- UPDATE: NOT NULL
UPDATE nn SET id = NULL WHERE id = 1; SELECT * FROM nn

-- UPDATE: NOT NULL without rows
UPDATE nn SET id = NULL WHERE id = 100; SELECT * FROM nn

-- UPDATE: the key that it reads
UPDATE t SET id = id + 1 WHERE id IN (SELECT id FROM t WHERE id < 3)

-- UPDATE: columns swap their values
UPDATE p SET a = b, b = a; SELECT * FROM p

-- UPDATE: a later assignment reads the value before
UPDATE t SET id = id * 10, amount = id

-- UPDATE: with a subquery over the same table
UPDATE t SET amount = (SELECT max(amount) FROM t)

-- UPDATE: with a subquery over another table
UPDATE t SET name = (SELECT name FROM s WHERE s.id = 5) WHERE id = 1

-- UPDATE: with a subquery of two rows
UPDATE t SET name = (SELECT name FROM s) WHERE id = 1

-- UPDATE: a condition that is NULL is not true
UPDATE t SET name = 'x' WHERE amount > 1

-- UPDATE: a column twice
UPDATE t SET name = 'a', name = 'b'

-- UPDATE: a column that the table does not have
UPDATE t SET nope = 1

-- UPDATE: a number is rounded
UPDATE t SET amount = 1.005

-- UPDATE: a double is rounded by its digits
UPDATE t SET amount = 1.005D WHERE id = 1

-- UPDATE: a double into an integer
UPDATE t SET id = 7.9D WHERE id = 1

-- UPDATE: an integer that is too large
UPDATE t SET id = 3000000000 WHERE id = 1

-- UPDATE: a field of a struct
UPDATE n SET st.b = 'new' WHERE id = 1; SELECT * FROM n

-- UPDATE: a field of a struct beside a column of that name
ALTER TABLE n ADD COLUMN b STRING; UPDATE n SET st.b = 'new'; SELECT id, b FROM n

-- MERGE: a field of a struct
MERGE INTO n USING s ON n.id = s.id WHEN MATCHED THEN UPDATE SET st.b = s.name; SELECT * FROM n

-- UPDATE: with an alias
UPDATE t AS x SET x.name = concat(x.name, '!') WHERE x.id = 2

-- UPDATE: of no rows
UPDATE t SET name = 'x' WHERE false

-- DELETE: without a condition
DELETE FROM t

-- DELETE: a condition that is NULL is not true
DELETE FROM t WHERE amount > 1

-- DELETE: NOT IN with NULL
INSERT INTO s VALUES (NULL, 'n', 0); DELETE FROM t WHERE id NOT IN (SELECT id FROM s)

-- DELETE: IN a subquery over the same table
DELETE FROM t WHERE amount < (SELECT avg(amount) FROM t)

-- DELETE: EXISTS
DELETE FROM t WHERE EXISTS (SELECT 1 FROM s WHERE s.id = t.id)

-- INSERT: a list of columns in another order
INSERT INTO t (amount, id) VALUES (9.99, 9)

-- INSERT: BY NAME
INSERT INTO t BY NAME SELECT 'x' AS name, 9 AS id

-- INSERT: BY NAME with a column that the table does not have
INSERT INTO t BY NAME SELECT 9 AS id, 1 AS nope

-- INSERT: BY NAME in other letters
INSERT INTO t BY NAME SELECT 9 AS ID, 'x' AS Name

-- INSERT: a column twice
INSERT INTO t (id, id) VALUES (1, 2)

-- INSERT: a column that the table does not have
INSERT INTO t (id, nope) VALUES (1, 2)

-- INSERT: fewer values than columns of the table
INSERT INTO t VALUES (9)

-- INSERT: more values than columns of the table
INSERT INTO t VALUES (9, 'x', 1, 2)

-- INSERT: DEFAULT of a column without one
INSERT INTO t VALUES (9, DEFAULT, DEFAULT)

-- INSERT: DEFAULT in a list of columns
INSERT INTO t (id, name) VALUES (9, DEFAULT)

-- INSERT: REPLACE WHERE
INSERT INTO t REPLACE WHERE id = 1 SELECT 1, 'replaced', 0.00

-- INSERT: a WITH after the table
INSERT INTO t WITH w AS (SELECT 9 AS id, 'w' AS name, 1.00 AS amount) SELECT * FROM w

-- INSERT: a WITH before it
WITH w AS (SELECT 9 AS id, 'w' AS name, 1.00 AS amount) INSERT INTO t SELECT * FROM w

-- UPDATE: a WITH before it
WITH w AS (SELECT 1 AS id) UPDATE t SET name = 'w' WHERE id IN (SELECT id FROM w)

-- DELETE: a WITH before it
WITH w AS (SELECT 1 AS id) DELETE FROM t WHERE id IN (SELECT id FROM w)

-- MERGE: a WITH before it
WITH w AS (SELECT 1 AS id) MERGE INTO t USING w ON t.id = w.id WHEN MATCHED THEN DELETE

-- UPDATE: DEFAULT
UPDATE t SET name = DEFAULT WHERE id = 1

-- INSERT OVERWRITE: with fewer columns
INSERT OVERWRITE t (id) SELECT id FROM s

-- INSERT OVERWRITE: of itself
INSERT OVERWRITE t SELECT id + 1, name, amount FROM t WHERE id < 3

-- VARCHAR: too long in an insert
INSERT INTO v VALUES (1, 'abcd', 'a'); SELECT id, length(short) AS n, short FROM v

-- VARCHAR: blanks at the end
INSERT INTO v VALUES (1, 'abc  ', 'a'); SELECT id, length(short) AS n, short FROM v

-- VARCHAR: too long in an update
INSERT INTO v VALUES (1, 'abc', 'a'); UPDATE v SET short = concat(short, 'd'); SELECT id, length(short) AS n, short FROM v

-- VARCHAR: too long in a merge
MERGE INTO v USING (SELECT 5 AS id, 'abcd' AS x) AS s ON v.id = s.id WHEN NOT MATCHED THEN INSERT (id, short) VALUES (s.id, s.x); SELECT id, length(short) AS n, short FROM v

-- VARCHAR: after ADD COLUMN
ALTER TABLE v ADD COLUMN later VARCHAR(2); INSERT INTO v VALUES (1, 'a', 'b', 'abc'); SELECT id, later FROM v

-- VARCHAR: after ADD COLUMN, and it fits
ALTER TABLE v ADD COLUMN later VARCHAR(2); INSERT INTO v VALUES (1, 'a', 'b', 'ab  '); SELECT id, later, length(later) AS n FROM v

-- VARCHAR: in an array
INSERT INTO l VALUES (1, array('ab', 'abcd'), NULL, NULL); SELECT id, list FROM l

-- VARCHAR: in an array, and it fits
INSERT INTO l VALUES (1, array('ab', 'abc '), NULL, NULL); SELECT id, list FROM l

-- VARCHAR: in a struct
INSERT INTO l VALUES (1, NULL, named_struct('x', 'abcd'), NULL); SELECT id, st FROM l

-- VARCHAR: in a struct, and it fits
INSERT INTO l VALUES (1, NULL, named_struct('x', 'abc'), NULL); SELECT id, st FROM l

-- VARCHAR: in a map
INSERT INTO l VALUES (1, NULL, NULL, map('k', 'abcd')); SELECT id, m FROM l

-- VARCHAR: the length of emoji
INSERT INTO v VALUES (1, '😀😀😀', 'a'); SELECT id, length(short) AS n FROM v

-- CHAR: is found without its blanks
INSERT INTO v VALUES (1, 'a', 'ab'); SELECT id FROM v WHERE code = 'ab'

-- CHAR: blanks of the author
INSERT INTO v VALUES (1, 'a', 'ab  '); SELECT id FROM v WHERE code = 'ab'

-- TRUNCATE
TRUNCATE TABLE t
