-- Arithmetic
7 / 2
7.5 / 2
1 / 3.0
CAST(7 AS DECIMAL(10, 2)) / CAST(3 AS DECIMAL(10, 2))
amount / qty FROM orders ORDER BY id
amount / 2 FROM orders ORDER BY id
price / qty FROM orders ORDER BY id
amount * qty FROM orders ORDER BY id
amount * 1.19 FROM orders ORDER BY id
amount * amount FROM orders ORDER BY id
amount * price FROM orders ORDER BY id
amount + 1 FROM orders ORDER BY id
amount + 0.001 FROM orders ORDER BY id
amount - qty FROM orders ORDER BY id
amount + price FROM orders ORDER BY id
qty + 1 FROM orders ORDER BY id
qty * 2 FROM orders ORDER BY id
qty + 1.5 FROM orders ORDER BY id
-qty FROM orders ORDER BY id
-amount FROM orders ORDER BY id
1 + 1
1.5 + 1.25
1.5 * 1.25
2147483647 + 1
9223372036854775807 + 1
CAST(127 AS TINYINT) + CAST(1 AS TINYINT)
1 / 0
1.0 / 0
1 % 0
CAST(1 AS DOUBLE) / 0
7 div 2
-7 div 2
7 % 3
-7 % 3
7.5 % 2
mod(7, 3)
pmod(-7, 3)
pmod(-7.5, 2)
abs(-5)
abs(-5.25)
abs(amount) FROM orders ORDER BY id
sign(-2)
signum(3.5)
ceil(1.2)
ceil(-1.2)
ceiling(5)
floor(1.8)
floor(-1.8)
floor(price) FROM orders ORDER BY id
ceil(amount) FROM orders ORDER BY id
round(2.5)
round(-2.5)
round(2.345, 2)
round(1234, -2)
round(CAST(2.5 AS DOUBLE))
round(amount, 1) FROM orders ORDER BY id
round(price, 1) FROM orders ORDER BY id
round(price) FROM orders ORDER BY id
bround(2.5)
bround(3.5)
bround(2.345, 2)
trunc(DATE '2026-05-17', 'MM')
sqrt(16)
cbrt(27)
exp(1)
ln(10)
log(10, 100)
log(2, 8)
log10(1000)
log2(8)
log1p(1)
expm1(1)
pow(2, 10)
power(2, 0.5)
sin(1)
cos(1)
tan(1)
asin(1)
acos(0.5)
atan(1)
atan2(1, 2)
cot(1)
sinh(1)
cosh(1)
tanh(1)
degrees(3)
radians(180)
pi()
e()
hypot(3, 4)
greatest(1, 2, 3)
greatest(1, NULL, 3)
greatest(1, 2.5)
least(3, 1, 2)
least(NULL, 1)
greatest('a', 'b')
factorial(5)
hex(255)
hex('Spark')
unhex('537061726B')
bin(13)
conv('100', 2, 10)
conv('ff', 16, 10)
shiftleft(1, 4)
shiftright(16, 2)
1 & 3
1 | 2
5 ^ 1
~5
bit_count(7)
rint(2.5)
negative(5)
positive(5)
nanvl(CAST('NaN' AS DOUBLE), 1)
isnan(CAST('NaN' AS DOUBLE))
CAST('NaN' AS DOUBLE) = CAST('NaN' AS DOUBLE)
width_bucket(5.3, 0.2, 10.6, 5)
try_divide(1, 0)
try_divide(7, 2)
try_add(2147483647, 1)
try_add(1, 2)
try_subtract(1, 2)
try_multiply(3, 4)
try_multiply(2147483647, 2)
try_subtract(qty, 10) FROM orders ORDER BY id
try_add(1 / 0, 1)
try_mod(7, 0)
1e3
1.5e2
10L
1S
1Y
2.5BD
1.5D
1.5F
0.1 + 0.2
0.1D + 0.2D
1 = 1.0
1 = 1L
CAST(1 AS FLOAT) + CAST(2 AS FLOAT)
CAST(0.1 AS FLOAT)
format_number(12345.678, 2)
format_number(12345, 0)

-- Casts
CAST(3.7 AS INT)
CAST(-3.7 AS INT)
CAST('3' AS INT)
CAST(' 3 ' AS INT)
CAST('3.7' AS INT)
CAST('x' AS INT)
CAST('' AS INT)
try_cast('x' AS INT)
try_cast('3.7' AS DOUBLE)
CAST('3.7' AS DECIMAL(10, 2))
CAST('3.789' AS DECIMAL(10, 2))
CAST(3.785 AS DECIMAL(10, 2))
CAST(3.7 AS DECIMAL(10))
CAST(12345 AS DECIMAL(3, 0))
CAST(1 AS STRING)
CAST(1.50 AS STRING)
CAST(1.5D AS STRING)
CAST(1D AS STRING)
CAST(1e10 AS STRING)
CAST(1.0E-5D AS STRING)
CAST(12345678.9D AS STRING)
CAST(price AS STRING) FROM orders ORDER BY id
CAST(amount AS STRING) FROM orders ORDER BY id
CAST(true AS STRING)
CAST(true AS INT)
CAST(0 AS BOOLEAN)
CAST('true' AS BOOLEAN)
CAST('yes' AS BOOLEAN)
CAST('t' AS BOOLEAN)
CAST('maybe' AS BOOLEAN)
CAST('2026-01-31' AS DATE)
CAST('2026-1-3' AS DATE)
CAST('2026-02-30' AS DATE)
CAST('x' AS DATE)
CAST('2026-01-31 10:20:30' AS TIMESTAMP)
CAST('2026-01-31T10:20:30Z' AS TIMESTAMP)
CAST('2026-01-31 10:20:30.123' AS TIMESTAMP)
CAST('2026-01-31' AS TIMESTAMP)
CAST('2026-01-31 10:20:30+02:00' AS TIMESTAMP)
CAST(DATE '2026-01-31' AS STRING)
CAST(DATE '2026-01-31' AS TIMESTAMP)
CAST(TIMESTAMP '2026-01-31 10:20:30' AS DATE)
CAST(TIMESTAMP '2026-01-31 10:20:30' AS STRING)
CAST(TIMESTAMP '2026-01-31 10:20:30.5' AS STRING)
CAST(created AS STRING) FROM orders ORDER BY id
CAST(TIMESTAMP '1970-01-01 00:01:00' AS BIGINT)
CAST(TIMESTAMP '1970-01-01 00:01:00' AS INT)
CAST(60 AS TIMESTAMP)
CAST('abc' AS BINARY)
CAST(CAST('abc' AS BINARY) AS STRING)
CAST(NULL AS INT)
CAST(300 AS TINYINT)
CAST(3000000000 AS INT)
CAST(CAST(1e20 AS DOUBLE) AS BIGINT)
CAST(array(1, 2) AS STRING)
CAST(array('a', 'b') AS STRING)
CAST(named_struct('a', 1, 'b', 'x') AS STRING)
CAST(map('a', 1) AS STRING)
CAST(array('1', '2') AS ARRAY<INT>)
CAST(array(1.7, 2.2) AS ARRAY<INT>)
CAST(1 AS DOUBLE)
CAST('1e3' AS DOUBLE)
CAST('NaN' AS DOUBLE)
'12'::INT
3.9::INT
amount::INT FROM orders ORDER BY id
amount::DOUBLE FROM orders ORDER BY id
int('7')
bigint(7.9)
double('1.5')
string(5)
date('2026-01-31')
decimal('5.5')
boolean('true')
timestamp('2026-01-31 10:00:00')
-128Y
-32768S
-9223372036854775808L
127Y
SELECT * FROM VALUES (X'616263', -128Y) AS t(a, b)
TIMESTAMP_NTZ '2026-01-31'

-- Text beside numbers
'5' + 1
'5' * 2
'7' / 2
'5.5' + 1
'x' + 1
1 + '2'
'5' + 1.5
'5' - 1D
'5' % 3
-'5'
code + 1 FROM orders ORDER BY id
code * amount FROM orders ORDER BY id
code = 10 FROM orders ORDER BY id
code > 9 FROM orders ORDER BY id
'5' = 5
'5.0' = 5
5 = '5'
'10' > 9
'abc' > 9
code IN (10, 20) FROM orders ORDER BY id
code BETWEEN 5 AND 15 FROM orders ORDER BY id
SELECT id FROM orders WHERE code = 10
SELECT id FROM orders WHERE id = '2'
SELECT id FROM orders WHERE day >= '2026-01-05' ORDER BY id
SELECT id FROM orders WHERE day = '2026-01-05'
SELECT id FROM orders WHERE created > '2026-01-04 12:00:00' ORDER BY id
day > '2026-01-04' FROM orders ORDER BY id
day BETWEEN '2026-01-04' AND '2026-01-05' FROM orders ORDER BY id
day = 'x' FROM orders
coalesce(code, 0) FROM orders ORDER BY id
coalesce(qty, 'none') FROM orders ORDER BY id
coalesce(amount, 0) FROM orders ORDER BY id
coalesce(NULL, 1.5, 2)
if(qty > 1, 'many', qty) FROM orders ORDER BY id
CASE WHEN qty > 1 THEN qty ELSE 'few' END FROM orders ORDER BY id
CASE WHEN qty > 1 THEN 1 ELSE 2.5 END FROM orders ORDER BY id
CASE WHEN qty > 1 THEN amount ELSE 0 END FROM orders ORDER BY id
concat('a', 1)
concat(1, 2)
'a' || 1
concat(customer, '-', id) FROM orders ORDER BY id
concat_ws('-', customer, id) FROM orders ORDER BY id
length(12345)
upper(5)
substring(12345, 2, 2)
abs('-5')
round('2.567', 2)
sum(code) FROM orders
avg(code) FROM orders
max(code) FROM orders
min(code) FROM orders
array(1, '2')
array(1, 2.5)
greatest(1, '2')
SELECT id AS x FROM orders WHERE id = 1 UNION ALL SELECT 'a' ORDER BY x
SELECT 1 AS x UNION ALL SELECT 2.5 ORDER BY x
SELECT o.id, c.rank FROM orders o JOIN customers c ON o.code = c.rank ORDER BY o.id
year('2026-01-31')
month('2026-01-31')
date_add('2026-01-31', 1)
datediff('2026-01-31', '2026-01-01')
date_format('2026-01-31', 'yyyy')
add_months('2026-01-31', 1)
last_day('2026-02-10')
'true' = true
true AND 'true'
1 = true

-- Text
length('héllo')
length(customer) FROM orders ORDER BY id
char_length('abc')
octet_length('é')
bit_length('abc')
upper('straße')
lower('ABC')
ucase('abc')
lcase('ABC')
initcap('hello wORLD')
initcap("it's o'neil-smith")
trim('  a  ')
ltrim('  a')
rtrim('a  ')
trim(BOTH 'x' FROM 'xxaxx')
trim(LEADING 'x' FROM 'xxaxx')
trim('x' FROM 'xxaxx')
btrim('xxaxx', 'x')
ltrim('x', 'xxa')
substring('abcdef', 2, 3)
substring('abcdef', -3)
substring('abcdef', 0, 2)
substr('abcdef', 3)
substring('abcdef', -3, 2)
left('abcdef', 2)
right('abcdef', 2)
left('abc', -1)
right('abc', 0)
concat('a', 'b')
concat('a', NULL)
'a' || 'b' || NULL
concat_ws(',', 'a', NULL, 'b')
concat_ws(',', array('a', NULL, 'b'))
concat_ws(',', tags) FROM orders ORDER BY id
replace('abcabc', 'b', 'x')
replace('abcabc', 'b')
translate('abc', 'ab', 'x')
lpad('7', 3, '0')
lpad('12345', 3, '0')
lpad('7', 3)
rpad('7', 3, '0')
repeat('ab', 3)
reverse('abc')
space(3)
instr('abcabc', 'c')
locate('c', 'abcabc')
locate('c', 'abcabc', 4)
position('c' IN 'abc')
position('c', 'abc')
charindex('c', 'abc') ≡ instr('abc', 'c')
split('a,b,c', ',')
split('a1b2c', '[0-9]')
split('a.b.c', '\\.')
split('a|b', '\\|')
split('a,b,c', ',', 2)
split(customer, 'd') FROM orders ORDER BY id
split('a,b', ',')[0]
split('a,b', ',')[1]
split_part('a-b-c', '-', 2)
split_part('a-b-c', '-', -1)
substring_index('a.b.c', '.', 2)
substring_index('a.b.c', '.', -1)
regexp_replace('abc123', '[0-9]+', 'x')
regexp_replace('abcabc', 'b', 'x')
regexp_replace('a1b2', '([a-z])([0-9])', '$2$1')
regexp_extract('abc123', '([a-z]+)([0-9]+)', 2)
regexp_extract('abc123', '([a-z]+)([0-9]+)')
regexp_extract('abc', '([0-9]+)', 1)
regexp_extract_all('a1b2', '([a-z])([0-9])', 2)
regexp_like('abc', 'b')
regexp_count('abcabc', 'b')
regexp_substr('abc123', '[0-9]+')
regexp_instr('abc123', '[0-9]')
'abc' RLIKE 'b.'
'abc' REGEXP '^a'
'abc' LIKE 'a%'
'abc' LIKE '_b_'
'ABC' ILIKE 'a%'
'a_c' LIKE 'a\\_c'
'abc' NOT LIKE 'b%'
'abc' LIKE ANY ('x%', 'a%')
'abc' LIKE ALL ('a%', '%c')
contains('abc', 'b')
startswith('abc', 'a')
endswith('abc', 'c')
ascii('A')
chr(65)
char(65)
base64('abc')
base64(CAST('abc' AS BINARY))
unbase64('YWJj')
md5('abc')
sha1('abc')
sha2('abc', 256)
sha2('abc', 512)
sha('abc')
crc32('abc')
hash('abc')
hash(1)
hash(1, 'a')
hash(CAST(NULL AS STRING))
xxhash64('abc')
xxhash64(1)
hash(id, customer) FROM orders ORDER BY id
hash(NULL)
hash(NULL, 1, NULL)
hash('')
hash('a', 'ab', 'abcd', 'abcde')
hash('Grüße, 世界 🎉')
hash(CAST(1 AS TINYINT), CAST(-2 AS SMALLINT), CAST(3 AS BIGINT))
hash(-9223372036854775807, 9223372036854775807)
hash(1.5)
hash(CAST(-123456789012345.678 AS DECIMAL(18, 3)))
hash(CAST(-123456789012345678901234.5678 AS DECIMAL(38, 4)))
hash(CAST(128 AS DECIMAL(20, 0)), CAST(-128 AS DECIMAL(20, 0)), CAST(-129 AS DECIMAL(20, 0)), CAST(0 AS DECIMAL(20, 0)))
hash(true, false)
hash(CAST(1.5 AS FLOAT), CAST(-2.25 AS DOUBLE))
hash(CAST(0 AS DOUBLE), -CAST(0 AS DOUBLE), CAST(-0.0 AS FLOAT))
hash(CAST('NaN' AS DOUBLE), CAST('NaN' AS FLOAT), CAST('Infinity' AS DOUBLE))
hash(DATE '2026-01-31', DATE '1969-12-31')
hash(TIMESTAMP '2026-01-31 10:20:30.123456', TIMESTAMP '1900-01-01 00:00:00')
hash(X'00FF80')
hash(array(1, NULL, 2))
hash(array(array('a'), array('b', 'c')))
hash(named_struct('a', 1, 'b', 'x', 'c', CAST(NULL AS INT)))
hash(map('a', 1))
hash(INTERVAL 1 DAY)
hash()
hash(length('abc'), upper('x'), 1 + 1, 2 * 1.5, 7 / 2)
hash(id, customer, amount, qty, price, code, day, created, paid, tags, address, items) FROM orders ORDER BY id
pmod(hash(customer), 16) FROM orders ORDER BY id
xxhash64(NULL)
xxhash64(NULL, 1, NULL)
xxhash64('')
xxhash64('a', 'ab', 'abcd', 'abcdefgh', 'abcdefghijklm')
xxhash64('0123456789012345678901234567890123456789')
xxhash64('Grüße, 世界 🎉')
xxhash64(CAST(1 AS TINYINT), CAST(-2 AS SMALLINT), CAST(3 AS BIGINT), -1)
xxhash64(-9223372036854775807, 9223372036854775807)
xxhash64(1.5, CAST(-123456789012345678901234.5678 AS DECIMAL(38, 4)))
xxhash64(true, false, CAST(1.5 AS FLOAT), CAST(-2.25 AS DOUBLE), X'00FF80')
xxhash64(DATE '2026-01-31', TIMESTAMP '2026-01-31 10:20:30.123456')
xxhash64(array(1, NULL, 2), named_struct('a', 1, 'b', 'x'))
xxhash64(map('a', 1))
xxhash64(id, customer, amount, qty, price, code, day, created, paid, tags, address, items) FROM orders ORDER BY id
count(DISTINCT hash(id)) FROM orders
levenshtein('kitten', 'sitting')
soundex('Miller')
find_in_set('b', 'a,b,c')
elt(2, 'a', 'b')
format_string('%s-%d', 'a', 5)
printf('%05d', 42)
overlay('abcdef' PLACING 'X' FROM 3)
overlay('abcdef', 'X', 3, 2)
ilike('ABC', 'a%')
encode('abc', 'UTF-8')
decode(encode('abc', 'UTF-8'), 'UTF-8')
decode(2, 1, 'one', 2, 'two', 'other')
url_encode('a b&c')
url_decode('a+b%26c')
mask('AbCD123-@$#')
luhn_check('8112189876')
quote("a'b")
to_char(454, '999')
to_number('454', '999')
string(true)
'it''s'
"double"
r'\d+'
'a\tb'

-- Conditions and NULL
NULL = NULL
NULL <=> NULL
1 <=> NULL
1 <> NULL
equal_null(1, NULL)
1 != 2
1 == 1
NOT true
true AND NULL
false AND NULL
true OR NULL
NULL IS NULL
1 IS NOT NULL
true IS TRUE
NULL IS UNKNOWN
1 IS DISTINCT FROM NULL
1 IN (1, NULL)
2 IN (1, NULL)
2 NOT IN (1, NULL)
5 BETWEEN 1 AND 10
coalesce(NULL, NULL, 'x')
nvl(NULL, 1)
nvl2(NULL, 1, 2)
ifnull(NULL, 'a')
nullif(1, 1)
nullif('a', 'b')
nullifzero(0)
zeroifnull(NULL)
if(true, 1, 2)
iff(false, 1, 2) ≡ if(false, 1, 2)
CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' END
CASE WHEN false THEN 1 END
isnull(NULL)
isnotnull(NULL)
SELECT id, customer FROM orders ORDER BY customer
SELECT id, customer FROM orders ORDER BY customer DESC
SELECT id, customer FROM orders ORDER BY customer NULLS LAST, id
SELECT id, price FROM orders ORDER BY price DESC NULLS FIRST, id
assert_true(true)
raise_error('no')
typeof(1)
typeof(1.5)
typeof('a')
typeof(array(1))
typeof(named_struct('a', 1))
typeof(amount) FROM orders WHERE id = 1

-- Dates and times
DATE '2026-01-31'
TIMESTAMP '2026-01-31 10:20:30'
TIMESTAMP_NTZ '2026-01-31 10:20:30'
DATE '2026-01-31' + INTERVAL 1 DAY
DATE '2026-01-31' + INTERVAL 1 MONTH
DATE '2026-01-31' - INTERVAL 1 YEAR
DATE '2026-01-31' + INTERVAL 2 HOURS
DATE '2026-01-31' + 1
DATE '2026-01-31' - 1
DATE '2026-01-31' - DATE '2026-01-01'
TIMESTAMP '2026-01-31 10:00:00' + INTERVAL 1 DAY
TIMESTAMP '2026-01-31 10:00:00' + INTERVAL '1 2:03:04' DAY TO SECOND
TIMESTAMP '2026-01-31 10:00:00' - INTERVAL 90 MINUTES
day + INTERVAL 1 WEEK FROM orders ORDER BY id
created - INTERVAL 1 HOUR FROM orders ORDER BY id
date_add(DATE '2026-01-31', 1)
date_add(day, qty) FROM orders ORDER BY id
date_sub(DATE '2026-01-31', 31)
dateadd(DAY, 1, DATE '2026-01-31')
dateadd(MONTH, 1, DATE '2026-01-31')
dateadd(HOUR, 1, TIMESTAMP '2026-01-31 10:00:00')
timestampadd(MINUTE, 5, TIMESTAMP '2026-01-31 10:00:00')
add_months(DATE '2026-01-31', 1)
add_months(DATE '2026-02-28', 1)
datediff(DATE '2026-03-01', DATE '2026-02-01')
datediff(DAY, DATE '2026-02-01', DATE '2026-03-01')
datediff(MONTH, DATE '2026-01-31', DATE '2026-03-01')
datediff(HOUR, TIMESTAMP '2026-01-31 10:00:00', TIMESTAMP '2026-01-31 12:30:00')
timestampdiff(MINUTE, TIMESTAMP '2026-01-31 10:00:00', TIMESTAMP '2026-01-31 12:30:30')
date_diff(DATE '2026-03-01', DATE '2026-02-01')
datediff(day, DATE '2026-01-01') FROM orders ORDER BY id
months_between(DATE '2026-03-31', DATE '2026-02-28')
months_between(DATE '2026-03-15', DATE '2026-01-01')
year(DATE '2026-01-31')
quarter(DATE '2026-05-31')
month(day) FROM orders ORDER BY id
day(DATE '2026-01-31')
dayofmonth(DATE '2026-01-31')
dayofweek(DATE '2026-01-31')
dayofyear(DATE '2026-02-01')
weekday(DATE '2026-01-31')
weekofyear(DATE '2026-01-01')
hour(TIMESTAMP '2026-01-31 10:20:30')
minute(TIMESTAMP '2026-01-31 10:20:30')
second(TIMESTAMP '2026-01-31 10:20:30.5')
dayname(DATE '2026-01-31')
monthname(DATE '2026-01-31')
extract(YEAR FROM DATE '2026-01-31')
extract(MONTH FROM TIMESTAMP '2026-01-31 10:20:30')
extract(SECOND FROM TIMESTAMP '2026-01-31 10:20:30.5')
extract(DOW FROM DATE '2026-02-01')
extract(WEEK FROM DATE '2026-02-01')
date_part('year', DATE '2026-01-31')
date_part('doy', DATE '2026-01-31')
date_trunc('month', DATE '2026-01-31')
date_trunc('MONTH', TIMESTAMP '2026-01-31 10:20:30')
date_trunc('day', TIMESTAMP '2026-01-31 10:20:30')
date_trunc('hour', created) FROM orders ORDER BY id
date_trunc('week', DATE '2026-01-31')
date_trunc('quarter', day) FROM orders ORDER BY id
trunc(DATE '2026-05-17', 'year')
trunc(day, 'MONTH') FROM orders ORDER BY id
trunc(DATE '2026-05-17', 'week')
last_day(DATE '2026-02-10')
next_day(DATE '2026-01-31', 'Mon')
to_date('2026-01-31')
to_date('31.01.2026', 'dd.MM.yyyy')
to_date('20260131', 'yyyyMMdd')
to_date('x')
try_to_date('x')
to_timestamp('2026-01-31 10:20:30')
to_timestamp('31/01/2026 10:20', 'dd/MM/yyyy HH:mm')
to_timestamp('2026-01-31T10:20:30.123', "yyyy-MM-dd'T'HH:mm:ss.SSS")
try_to_timestamp('x')
date_format(DATE '2026-01-31', 'yyyy-MM')
date_format(DATE '2026-01-31', 'dd.MM.yyyy')
date_format(TIMESTAMP '2026-01-31 10:20:30', 'yyyy-MM-dd HH:mm:ss')
date_format(TIMESTAMP '2026-01-31 10:20:30', 'HH:mm')
date_format(DATE '2026-01-31', 'E')
date_format(DATE '2026-01-31', 'EEEE')
date_format(DATE '2026-01-31', 'MMM yy')
date_format(DATE '2026-01-31', 'MMMM d, y')
date_format(DATE '2026-01-31', 'D')
date_format(TIMESTAMP '2026-01-31 10:20:30.123', 'SSS')
date_format(TIMESTAMP '2026-01-31 14:20:30', 'hh:mm a')
date_format(DATE '2026-01-31', 'Q')
date_format(day, 'yyyy-MM') FROM orders ORDER BY id
unix_timestamp('2026-01-31 00:00:00')
unix_timestamp(TIMESTAMP '2026-01-31 00:00:00')
unix_timestamp('31.01.2026', 'dd.MM.yyyy')
to_unix_timestamp('2026-01-31 00:00:00')
from_unixtime(0)
from_unixtime(0, 'yyyy-MM-dd')
unix_seconds(TIMESTAMP '2026-01-31 00:00:00')
unix_millis(TIMESTAMP '2026-01-31 00:00:00')
unix_micros(TIMESTAMP '2026-01-31 00:00:00')
unix_date(DATE '2026-01-31')
date_from_unix_date(20000)
timestamp_seconds(1.5)
timestamp_millis(1500)
timestamp_micros(1500)
make_date(2026, 1, 31)
make_timestamp(2026, 1, 31, 10, 20, 30.5)
from_utc_timestamp(TIMESTAMP '2026-01-31 10:00:00', 'Europe/Berlin')
to_utc_timestamp(TIMESTAMP '2026-01-31 10:00:00', 'Europe/Berlin')
convert_timezone('UTC', 'Europe/Berlin', TIMESTAMP_NTZ '2026-07-31 10:00:00')
current_timezone()
current_date() = current_date
now() >= current_timestamp()
day < created FROM orders ORDER BY id
created = DATE '2026-01-04' FROM orders ORDER BY id
sequence(DATE '2026-01-01', DATE '2026-01-03', INTERVAL 1 DAY)
sequence(DATE '2026-01-01', DATE '2026-03-01', INTERVAL 1 MONTH)
explode(sequence(DATE '2026-01-01', DATE '2026-01-03'))
CAST(INTERVAL 1 DAY AS STRING)

-- Arrays
array(1, 2, 3)
array()
array('a', NULL)
tags FROM orders ORDER BY id
array(1, 2, 3)[0]
array(1, 2, 3)[2]
array(1, 2)[5]
array(1, 2)[-1]
tags[0] FROM orders WHERE id = 1
tags[qty - 2] FROM orders WHERE id = 1
get(array(1, 2), 5)
get(tags, 0) FROM orders ORDER BY id
element_at(array(1, 2, 3), 1)
element_at(array(1, 2, 3), -1)
element_at(array(1, 2, 3), 0)
element_at(array(1), 5)
try_element_at(array(1), 5)
size(array(1, 2))
size(NULL)
size(tags) FROM orders ORDER BY id
cardinality(array(1))
array_size(array(1, 2))
array_contains(array(1, 2), 2)
array_contains(array(1, NULL), 2)
array_contains(tags, 'new') FROM orders ORDER BY id
array_distinct(array(1, 2, 1, NULL, NULL))
array_except(array(1, 2, 2, 3), array(2))
array_intersect(array(1, 2, 2), array(2, 3))
array_union(array(1, 2), array(2, 3))
array_join(array('a', NULL, 'b'), '-')
array_join(array('a', NULL, 'b'), '-', '?')
array_max(array(1, 3, 2, NULL))
array_min(array(3, NULL, 1))
array_position(array('a', 'b'), 'b')
array_position(array('a'), 'x')
array_remove(array(1, 2, 1, NULL), 1)
array_repeat('a', 3)
array_append(array(1), 2)
array_prepend(array(1), 2)
array_insert(array(1, 3), 2, 2)
array_compact(array(1, NULL, 2))
array_sort(array(3, 1, NULL, 2))
array_sort(array(3, 1, 2), (l, r) -> r - l)
sort_array(array(3, 1, NULL, 2))
sort_array(array(3, 1, NULL, 2), false)
arrays_overlap(array(1, 2), array(2, 3))
arrays_zip(array(1, 2), array('a', 'b'))
flatten(array(array(1), array(2, 3)))
reverse(array(1, 2))
slice(array(1, 2, 3, 4), 2, 2)
slice(array(1, 2, 3, 4), -2, 2)
shuffle(array(1))
sequence(1, 5, 2)
sequence(3, 1)
concat(array(1), array(2))
transform(array(1, 2), x -> x * 2)
transform(array(5, 6), (x, i) -> x + i)
filter(array(1, 2, 3), x -> x > 1)
filter(array(1, 2, 3), (x, i) -> i > 0)
exists(array(1, 2), x -> x > 1)
exists(array(1, NULL), x -> x > 1)
forall(array(1, 2), x -> x > 0)
aggregate(array(1, 2, 3), 0, (acc, x) -> acc + x)
aggregate(array(1, 2, 3), 0, (acc, x) -> acc + x, acc -> acc * 10)
reduce(array(1, 2, 3), 0, (acc, x) -> acc + x)
zip_with(array(1, 2), array(3, 4), (x, y) -> x + y)
zip_with(array(1, 2), array(3), (x, y) -> x + y)
zip_with(array(1, 2), CAST(NULL AS ARRAY<INT>), (x, y) -> x + y)
array('a')[5]
element_at(array('a', 'b'), 7)
array(array(1, 2), array(3))[0][1]
array(1, 2) = array(1, 2)

-- Maps and structs
map('a', 1, 'b', 2)
map()
map('a', 1)['a']
map('a', 1)['x']
map(1, 'x')[1]
prefs FROM orders ORDER BY id
prefs['mail'] FROM orders ORDER BY id
prefs.mail FROM orders ORDER BY id
element_at(map('a', 1), 'a')
element_at(map('a', 1), 'x')
map_keys(map('a', 1, 'b', 2))
map_values(map('a', 1, 'b', 2))
map_entries(map('a', 1))
map_concat(map('a', 1), map('b', 2))
map_contains_key(map('a', 1), 'a')
map_from_arrays(array('a', 'b'), array(1, 2))
map_from_entries(array(struct('a', 1)))
map_filter(map('a', 1, 'b', 2), (k, v) -> v > 1)
transform_values(map('a', 1), (k, v) -> v + 1)
transform_keys(map('a', 1), (k, v) -> upper(k))
transform_values(prefs, (k, v) -> v * 2) FROM orders ORDER BY id
map_filter(prefs, (k, v) -> k = 'mail') FROM orders ORDER BY id
transform_keys(map('a', 1, 'b', 2), (k, v) -> 'x')
map_zip_with(map('a', 1), map('a', 2), (k, x, y) -> x + y)
str_to_map('a:1,b:2')
str_to_map('a=1;b=2', ';', '=')
size(map('a', 1))
cardinality(map('a', 1))
named_struct('a', 1, 'b', 'x')
named_struct('a', 1, 'b', 'x').b
struct(1, 'x')
struct(1 AS a, 'x' AS b)
struct(id, customer) FROM orders WHERE id = 1
struct(id AS n, customer AS who).who FROM orders WHERE id = 1
address FROM orders ORDER BY id
address.city FROM orders ORDER BY id
o.address.zip FROM orders o ORDER BY o.id
SELECT address.* FROM orders ORDER BY id
struct(1 AS a) = struct(1 AS a)
array(named_struct('a', 1), named_struct('a', 2)).a
items FROM orders ORDER BY id
items[0].sku FROM orders WHERE id = 1
items.sku FROM orders ORDER BY id
transform(items, i -> i.count * 2) FROM orders ORDER BY id
aggregate(items, 0, (acc, i) -> acc + i.count) FROM orders ORDER BY id
to_json(named_struct('a', 1, 'b', NULL))
to_json(map('a', 1))
to_json(array(1, 2))
to_json(address) FROM orders ORDER BY id

-- JSON
get_json_object('{"a":{"b":5}}', '$.a.b')
get_json_object('{"a":"x"}', '$.a')
get_json_object('{"a":[1,2]}', '$.a[1]')
get_json_object('{"a":[1,2]}', '$.a')
get_json_object('{"a":1}', '$.b')
get_json_object('{"a":null}', '$.a')
get_json_object('not json', '$.a')
get_json_object(payload, '$.name') FROM orders ORDER BY id
get_json_object(payload, '$.total') FROM orders ORDER BY id
get_json_object('{"a":[{"b":1},{"b":2}]}', '$.a[*].b')
get_json_object('{"a":1.50}', '$.a')
from_json('{"a":1,"b":"x"}', 'a INT, b STRING')
from_json('{"a":1}', 'a INT, b STRING')
from_json('{"a":1,"b":"x"}', 'STRUCT<a: INT, b: STRING>')
from_json('{"a":1,"b":"x"}', 'a INT, b STRING').b
from_json('[1,2,3]', 'ARRAY<INT>')
from_json('{"a":1,"b":2}', 'MAP<STRING, INT>')
from_json('[{"a":1},{"a":2}]', 'ARRAY<STRUCT<a: INT>>')
from_json('{"a":{"b":[1,2]}}', 'a STRUCT<b: ARRAY<INT>>')
from_json('{"a":"2026-01-31"}', 'a DATE')
from_json('{"a":"x"}', 'a INT')
from_json('{"a":1.5}', 'a DECIMAL(10, 2)')
from_json('{"a":1.5}', 'a DOUBLE')
from_json('{"a":5}', 'a STRING')
from_json('{"a":{"b":1}}', 'a STRING')
from_json('not json', 'a INT')
from_json(NULL, 'a INT')
from_json(payload, 'name STRING, total DOUBLE') FROM orders ORDER BY id
from_json(payload, 'name STRING, total DOUBLE').total FROM orders ORDER BY id
SELECT p.name, p.total FROM (SELECT id, from_json(payload, 'name STRING, total DOUBLE') AS p FROM orders) ORDER BY id
json_array_length('[1,2,3]')
json_array_length('{"a":1}')
json_object_keys('{"a":1,"b":2}')
SELECT j.a, j.b FROM (SELECT '{"a":"1","b":"2"}' AS d) LATERAL VIEW json_tuple(d, 'a', 'b') j AS a, b
schema_of_json('{"a":1}')
parse_json('{"a":1}'):a::INT
parse_json('{"a":"x"}'):a::STRING
variant_get(parse_json('{"a":1}'), '$.a', 'INT')

-- Aggregates
count(*) FROM orders
count(customer) FROM orders
count(DISTINCT customer) FROM orders
count(DISTINCT customer, qty) FROM orders
sum(qty) FROM orders
sum(amount) FROM orders
sum(price) FROM orders
sum(amount * qty) FROM orders
avg(qty) FROM orders
avg(amount) FROM orders
avg(price) FROM orders
mean(qty) FROM orders
min(amount) FROM orders
max(day) FROM orders
max(customer) FROM orders
sum(qty) FROM orders WHERE false
count(*) FROM orders WHERE false
sum(qty) FILTER (WHERE paid) FROM orders
count_if(paid) FROM orders
count(CASE WHEN paid THEN 1 END) FROM orders
sum(CASE WHEN paid THEN amount ELSE 0 END) FROM orders
sum(DISTINCT qty) FROM orders
any_value(qty) FROM orders WHERE id = 1
first(customer) FROM orders WHERE id = 1
last(customer) FROM orders WHERE id = 1
first(customer, true) FROM (SELECT customer FROM orders WHERE id = 4)
first_value(qty) FROM orders WHERE id = 2
stddev(qty) FROM orders
stddev_pop(qty) FROM orders
stddev_samp(amount) FROM orders
variance(qty) FROM orders
var_pop(qty) FROM orders
var_samp(price) FROM orders
std(qty) FROM orders
corr(qty, price) FROM orders
covar_pop(qty, price) FROM orders
covar_samp(qty, price) FROM orders
skewness(qty) FROM orders
kurtosis(qty) FROM orders
median(qty) FROM orders
median(amount) FROM orders
median(price) FROM orders
percentile(qty, 0.5) FROM orders
percentile(amount, 0.25) FROM orders
percentile(qty, array(0.25, 0.75)) FROM orders
percentile_approx(qty, 0.5) FROM orders
percentile_approx(amount, 0.5) FROM orders
percentile_approx(amount, 0.9) FROM orders
percentile_approx(price, 0.5) FROM orders
percentile_approx(amount, 0.5, 100) FROM orders
percentile_approx(amount, array(0.5, 0.9)) FROM orders
approx_percentile(amount, 0.5) FROM orders
percentile_cont(0.5) WITHIN GROUP (ORDER BY qty) FROM orders
percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) FROM orders
percentile_disc(0.5) WITHIN GROUP (ORDER BY qty) FROM orders
max_by(customer, amount) FROM orders
min_by(customer, amount) FROM orders
collect_list(qty) FROM (SELECT qty FROM orders ORDER BY id)
sort_array(collect_set(customer)) FROM orders
sort_array(array_agg(customer)) FROM orders
array_join(sort_array(collect_set(customer)), ',') FROM orders
listagg(customer, ',') WITHIN GROUP (ORDER BY customer) FROM orders
string_agg(customer, '-') WITHIN GROUP (ORDER BY customer DESC) FROM orders
bool_and(paid) FROM orders
bool_or(paid) FROM orders
every(paid) FROM orders
some(paid) FROM orders
any(paid) FROM orders
bit_and(qty) FROM orders
bit_or(qty) FROM orders
bit_xor(qty) FROM orders
approx_count_distinct(customer) FROM orders
regr_slope(price, qty) FROM orders
regr_intercept(price, qty) FROM orders
regr_r2(price, qty) FROM orders
regr_count(price, qty) FROM orders
try_sum(qty) FROM orders
try_avg(qty) FROM orders
round(avg(amount), 2) FROM orders
sum(amount) / count(*) FROM orders
100.0 * count_if(paid) / count(*) FROM orders
max(struct(amount, customer)) FROM orders
SELECT customer, sum(amount) AS total FROM orders GROUP BY customer ORDER BY customer
SELECT customer, count(*) AS n FROM orders GROUP BY customer HAVING count(*) > 1 ORDER BY customer
SELECT year(day) AS y, sum(qty) AS n FROM orders GROUP BY year(day) ORDER BY y
SELECT year(day) AS y, sum(qty) AS n FROM orders GROUP BY 1 ORDER BY 1
SELECT year(day) AS y, sum(qty) AS n FROM orders GROUP BY y ORDER BY y
SELECT customer, sum(qty) AS n FROM orders GROUP BY ALL ORDER BY ALL
SELECT customer, paid, sum(qty) AS n FROM orders GROUP BY ROLLUP (customer, paid) ORDER BY customer, paid, n
SELECT customer, paid, sum(qty) AS n FROM orders GROUP BY CUBE (customer, paid) ORDER BY customer, paid, n
SELECT customer, paid, sum(qty) AS n FROM orders GROUP BY GROUPING SETS ((customer), (paid)) ORDER BY customer, paid, n
SELECT customer, grouping(customer) AS g, sum(qty) AS n FROM orders GROUP BY ROLLUP (customer) ORDER BY g, customer
SELECT customer, grouping_id() AS g, sum(qty) AS n FROM orders GROUP BY CUBE (customer) ORDER BY g, customer

-- Window functions
SELECT id, row_number() OVER (ORDER BY id DESC) AS n FROM orders ORDER BY id
SELECT id, row_number() OVER (PARTITION BY customer ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, rank() OVER (ORDER BY customer) AS n FROM orders ORDER BY id
SELECT id, dense_rank() OVER (ORDER BY customer DESC) AS n FROM orders ORDER BY id
SELECT id, percent_rank() OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, cume_dist() OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, ntile(2) OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, lag(qty) OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, lag(qty, 2, -1) OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, lead(amount) OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, first_value(qty) OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, last_value(qty) OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, last_value(qty) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS n FROM orders ORDER BY id
SELECT id, nth_value(qty, 2) OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, sum(qty) OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, sum(amount) OVER (PARTITION BY customer) AS n FROM orders ORDER BY id
SELECT id, avg(qty) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS n FROM orders ORDER BY id
SELECT id, count(*) OVER () AS n FROM orders ORDER BY id
SELECT id, max(day) OVER (PARTITION BY paid) AS n FROM orders ORDER BY id
SELECT id, sum(qty) OVER w AS n FROM orders WINDOW w AS (ORDER BY id) ORDER BY id
SELECT id, lag(customer) IGNORE NULLS OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, last_value(customer) IGNORE NULLS OVER (ORDER BY id) AS n FROM orders ORDER BY id
SELECT id, amount / sum(amount) OVER () AS n FROM orders ORDER BY id
SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY customer ORDER BY id) AS n FROM orders) WHERE n = 1 ORDER BY id
SELECT id, collect_list(qty) OVER (ORDER BY id) AS n FROM orders ORDER BY id

-- Joins and sets
SELECT o.id, c.country FROM orders o JOIN customers c ON o.customer = c.name ORDER BY o.id
SELECT o.id, c.country FROM orders o LEFT JOIN customers c ON o.customer = c.name ORDER BY o.id
SELECT o.id, c.name FROM orders o RIGHT JOIN customers c ON o.customer = c.name ORDER BY o.id, c.name
SELECT o.id, c.name FROM orders o FULL OUTER JOIN customers c ON o.customer = c.name ORDER BY o.id, c.name
SELECT o.id, c.name FROM orders o CROSS JOIN customers c ORDER BY o.id, c.name
SELECT id FROM orders o LEFT SEMI JOIN customers c ON o.customer = c.name ORDER BY id
SELECT id FROM orders o SEMI JOIN customers c ON o.customer = c.name ORDER BY id
SELECT id FROM orders o LEFT ANTI JOIN customers c ON o.customer = c.name ORDER BY id
SELECT id FROM orders o ANTI JOIN customers c ON o.customer = c.name ORDER BY id
SELECT * FROM customers c LEFT ANTI JOIN orders o ON o.customer = c.name AND o.paid ORDER BY name
SELECT o.id FROM orders o LEFT SEMI JOIN customers c ON o.customer = c.name AND o.qty > c.rank ORDER BY o.id
SELECT name, n FROM customers JOIN (SELECT customer AS name, count(*) AS n FROM orders GROUP BY customer) USING (name) ORDER BY name
SELECT * FROM customers JOIN (SELECT customer AS name, qty FROM orders) USING (name) ORDER BY name, qty
SELECT * FROM customers NATURAL JOIN (SELECT customer AS name, qty FROM orders) ORDER BY name, qty
SELECT o.id, c.name FROM orders o, customers c WHERE o.customer = c.name ORDER BY o.id
SELECT o.id, l.n FROM orders o, LATERAL (SELECT count(*) AS n FROM customers c WHERE c.name = o.customer) l ORDER BY o.id
SELECT id FROM orders WHERE customer IN (SELECT name FROM customers) ORDER BY id
SELECT id FROM orders WHERE customer NOT IN (SELECT name FROM customers) ORDER BY id
SELECT id FROM orders o WHERE EXISTS (SELECT 1 FROM customers c WHERE c.name = o.customer) ORDER BY id
SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM customers c WHERE c.name = o.customer) ORDER BY id
SELECT id, (SELECT max(rank) FROM customers) AS r FROM orders ORDER BY id
SELECT id, (SELECT country FROM customers c WHERE c.name = o.customer) AS r FROM orders o ORDER BY id
SELECT customer FROM orders UNION SELECT name FROM customers ORDER BY 1
SELECT customer FROM orders INTERSECT SELECT name FROM customers
SELECT name FROM customers EXCEPT SELECT customer FROM orders
SELECT name FROM customers MINUS SELECT customer FROM orders
SELECT customer FROM orders EXCEPT ALL SELECT name FROM customers ORDER BY 1
WITH t AS (SELECT id, qty FROM orders) SELECT sum(qty) AS n FROM t
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT x, y FROM a, b
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r ORDER BY n
SELECT DISTINCT customer FROM orders ORDER BY customer
SELECT id FROM orders ORDER BY id LIMIT 2
SELECT id FROM orders ORDER BY id LIMIT 2 OFFSET 1
SELECT * EXCEPT (payload, items, tags, prefs, address) FROM orders ORDER BY id
SELECT id, qty AS n, n + 1 AS m FROM orders ORDER BY id
SELECT * FROM VALUES (1, 'a'), (2, 'b') AS t(n, s) ORDER BY n
VALUES (1, 'a'), (2, 'b')
SELECT * FROM range(3) ORDER BY id
SELECT id FROM range(2, 8, 2) ORDER BY id
SELECT * FROM customers TABLESAMPLE (100 PERCENT) ORDER BY name
SELECT id FROM orders SORT BY id
SELECT id, qty FROM orders QUALIFY row_number() OVER (ORDER BY qty DESC, id) = 1 ≡ SELECT id, qty FROM orders ORDER BY qty DESC, id LIMIT 1
SELECT o.* EXCEPT (payload, items, tags, prefs, address) FROM orders o WHERE o.id = 1
FROM orders SELECT id ORDER BY id

-- Rows from lists
SELECT explode(array(1, 2)) AS x
SELECT id, explode(tags) AS tag FROM orders ORDER BY id, tag
SELECT id, explode_outer(tags) AS tag FROM orders ORDER BY id, tag
SELECT id, posexplode(tags) AS (pos, tag) FROM orders ORDER BY id, pos
SELECT posexplode(array('a', 'b'))
SELECT explode(map('a', 1, 'b', 2))
SELECT explode(map('a', 1)) AS (k, v)
SELECT id, tag FROM orders LATERAL VIEW explode(tags) t AS tag ORDER BY id, tag
SELECT id, tag FROM orders LATERAL VIEW OUTER explode(tags) t AS tag ORDER BY id, tag
SELECT id, pos, tag FROM orders LATERAL VIEW posexplode(tags) t AS pos, tag ORDER BY id, pos
SELECT id, k, v FROM orders LATERAL VIEW explode(prefs) t AS k, v ORDER BY id, k
SELECT id, k, v FROM orders LATERAL VIEW OUTER explode(prefs) t AS k, v ORDER BY id, k
SELECT id, sku, n FROM orders LATERAL VIEW OUTER inline(items) t AS sku, n ORDER BY id, sku
SELECT id, item.sku, item.count FROM orders LATERAL VIEW explode(items) t AS item ORDER BY id, item.sku
SELECT id, tag FROM orders, LATERAL explode(tags) AS t(tag) ORDER BY id, tag
SELECT * FROM explode(array(1, 2))
SELECT inline(items) FROM orders WHERE id = 1
SELECT id, inline(items) FROM orders ORDER BY id, sku
SELECT id, sku, count FROM orders LATERAL VIEW inline(items) t AS sku, count ORDER BY id, sku
SELECT id, inline_outer(items) FROM orders ORDER BY id, sku
SELECT stack(2, 1, 'a', 2, 'b')
SELECT stack(2, 1, 'a', 2, 'b') AS (n, s)
SELECT id, stack(2, 'qty', qty, 'twice', qty * 2) AS (name, value) FROM orders WHERE id = 1
SELECT id, inline(items) FROM orders WHERE id < 3
SELECT * FROM (SELECT id, inline(items) FROM orders) ORDER BY id, sku
SELECT id, explode(prefs) AS (k, v) FROM orders WHERE id < 3
SELECT id, stack(2, 'qty', qty, 'twice', qty * 2) AS (name, value) FROM orders ORDER BY id, name
SELECT id, name, value FROM orders LATERAL VIEW stack(2, 'q', qty, 'i', id) t AS name, value ORDER BY id, name
SELECT * FROM (SELECT customer, paid, qty FROM orders) PIVOT (sum(qty) FOR paid IN (true AS yes, false AS no)) ORDER BY customer
SELECT * FROM (SELECT customer, qty FROM orders) PIVOT (sum(qty) AS total, max(qty) AS most FOR customer IN ('ada', 'bob'))
SELECT * FROM (SELECT id, qty, rank FROM orders JOIN customers ON customer = name) UNPIVOT (value FOR name IN (qty, rank)) ORDER BY id, name
SELECT * FROM (SELECT id, qty FROM orders) UNPIVOT INCLUDE NULLS (value FOR name IN (qty AS `how many`)) ORDER BY id

-- Paths into JSON text
payload:name FROM orders ORDER BY id ≡ get_json_object(payload, '$.name') FROM orders ORDER BY id
payload:total FROM orders ORDER BY id ≡ get_json_object(payload, '$.total') FROM orders ORDER BY id
payload:total::DOUBLE FROM orders ORDER BY id ≡ get_json_object(payload, '$.total')::DOUBLE FROM orders ORDER BY id
payload:lines[0].sku FROM orders ORDER BY id ≡ get_json_object(payload, '$.lines[0].sku') FROM orders ORDER BY id
payload:lines FROM orders WHERE id = 2 ≡ get_json_object(payload, '$.lines') FROM orders WHERE id = 2
payload:['name'] FROM orders ORDER BY id ≡ get_json_object(payload, '$.name') FROM orders ORDER BY id
o.payload:name FROM orders o ORDER BY o.id ≡ get_json_object(payload, '$.name') FROM orders ORDER BY id
SELECT id FROM orders WHERE payload:name = 'Ada' ORDER BY id ≡ SELECT id FROM orders WHERE get_json_object(payload, '$.name') = 'Ada' ORDER BY id
upper(payload:name) FROM orders ORDER BY id ≡ upper(get_json_object(payload, '$.name')) FROM orders ORDER BY id
SELECT payload:name AS n, count(*) AS c FROM orders GROUP BY payload:name ORDER BY n ≡ SELECT get_json_object(payload, '$.name') AS n, count(*) AS c FROM orders GROUP BY 1 ORDER BY n
