-- Operators
a + b : int,int float,int float,bigint float,decimal bigint,bigint tinyint,tinyint smallint,int decimal,decimal wide,decimal double,double float,float float,double int,decimal int,double int,number number,number double,number decimal,number day,count bool,int text,text decimal,double whole,int
a + 1 : tinyint smallint int bigint float decimal
1 - a : tinyint smallint bigint
a * 2 : tinyint smallint decimal
a % 2 : tinyint smallint decimal
a - b : int,int bigint,bigint tinyint,tinyint decimal,decimal wide,wide double,double float,float number,number int,number day,count decimal,int
a * b : int,int bigint,bigint tinyint,tinyint decimal,decimal wide,decimal double,double float,float number,number int,number decimal,int
a / b : int,int bigint,bigint decimal,decimal wide,decimal double,double float,float number,number int,number decimal,int float,double
a % b : float,int tinyint,int int,int bigint,bigint decimal,decimal double,double tinyint,tinyint number,int decimal,int
a div b : int,int bigint,bigint decimal,decimal tinyint,int
-a : tinyint smallint int bigint float double decimal wide number bool text day
+a : int number
~a : int bigint tinyint number
a & b : int,int bigint,int tinyint,smallint
a | b : int,int bigint,int
a ^ b : int,int bigint,int
a = b : int,bigint float,int float,decimal float,double decimal,double double,double int,number text,text bool,truth day,daytext moment,daytext day,moment ints,ints struct,struct bytes,bytes decimal,number
a >= b : ints,ints struct,struct
(a, b) < (b, a) : int,int
a < b : nested,nested int,bigint float,int float,decimal float,double decimal,double double,double int,number text,text day,daytext day,moment ints,ints doubles,doubles texts,texts struct,struct bool,bool
a <=> b : int,int double,double text,text ints,ints struct,struct float,double
a || b : text,text int,text ints,ints double,decimal moment,day bytes,bytes bool,float texts,texts
a AND b : bool,bool
a OR b : bool,bool
NOT a : bool truth
a LIKE b : text,part
a LIKE '%b%' : text int
a RLIKE b : text,pattern
a BETWEEN b AND c : float,int,decimal int,int,bigint double,double,double text,text,text
a IN (1, 2, NULL) : tinyint float int double number decimal
CASE WHEN a THEN b ELSE 1 END : bool,tinyint bool,smallint
CASE WHEN a THEN b ELSE c END : bool,int,bigint bool,decimal,int bool,float,double bool,text,text bool,int,double bool,day,moment bool,float,decimal
-- Casts
CAST(a AS STRING) : bool tinyint int bigint float double decimal wide whole day moment bytes text ints doubles texts nested decimals days moments bools map numbered struct record
CAST(a AS BOOLEAN) : int double text truth decimal
CAST(a AS TINYINT) : int double float decimal number bool bigint
CAST(a AS SMALLINT) : int double number
CAST(a AS INT) : bigint double float decimal wide number bool text day moment
CAST(a AS BIGINT) : int double float decimal wide number bool moment
CAST(a AS FLOAT) : int bigint double decimal number bool
CAST(a AS DOUBLE) : int bigint float decimal wide number bool moment
CAST(a AS DECIMAL(10, 2)) : int bigint double float decimal wide number bool whole
CAST(a AS DECIMAL(38, 10)) : int bigint double float decimal wide number
CAST(a AS DECIMAL(5, 0)) : int double float decimal number
CAST(a AS DECIMAL(3, 3)) : double decimal
CAST(a AS DATE) : moment daytext day
CAST(a AS TIMESTAMP) : day daytext moment int double
CAST(a AS BINARY) : text bytes int
CAST(a AS ARRAY<STRING>) : ints texts doubles moments
CAST(a AS ARRAY<INT>) : doubles texts
CAST(a AS ARRAY<DOUBLE>) : ints
CAST(a AS ARRAY<DECIMAL(10, 2)>) : doubles ints
try_cast(a AS INT) : bigint double float decimal wide number bool
try_cast(a AS BIGINT) : double number wide
try_cast(a AS TINYINT) : int number double
try_cast(a AS DECIMAL(10, 2)) : int bigint double float wide number
try_cast(a AS DOUBLE) : number int decimal
try_cast(a AS DATE) : daytext moment
try_cast(a AS TIMESTAMP) : daytext day
try_cast(a AS BOOLEAN) : truth int
try_cast(a AS STRING) : double moment
a::INT : number double
int(a) : number double float decimal
bigint(a) : number double
tinyint(a) : number int
smallint(a) : number
double(a) : number int
float(a) : number int
decimal(a) : number int
boolean(a) : truth int
string(a) : bool int float double decimal day moment ints texts
date(a) : daytext moment
timestamp(a) : daytext day
binary(a) : text
-- Arithmetic
abs(a) : tinyint smallint int bigint float double decimal wide number
acos(a) : small int
acosh(a) : small
asin(a) : small
asinh(a) : small
atan(a) : small
atan2(a, b) : small,small
atanh(a) : small
bin(a) : int bigint tinyint
bit_count(a) : tinyint int bigint bool
bit_get(a, b) : int,bits bigint,bits
getbit(a, b) : bigint,bits
bround(a) : double float decimal int number
bround(a, 2) : double float decimal wide int bigint
bround(a, -1) : double decimal int bigint tinyint
bround(a, b) : double,digits
cbrt(a) : small
ceil(a) : double float decimal wide int bigint number
ceil(a, 1) : double float decimal int
ceil(a, -1) : double decimal int bigint
ceiling(a) : double decimal
conv(a, b, c) : number,pair,pair
conv(a, 10, 16) : number int
conv(a, 16, 10) : number
cos(a) : small
cosh(a) : small
cot(a) : small
csc(a) : small
degrees(a) : small
e() :
exp(a) : small
expm1(a) : small
factorial(a) : int bits
floor(a) : double float decimal wide int bigint number
floor(a, 1) : double float decimal int
floor(a, -1) : double decimal int bigint
format_number(a, 2) : double float decimal int bigint
format_number(a, 0) : double decimal int
format_number(a, b) : double,digits
greatest(a, b) : float,int float,decimal int,bigint double,double float,double text,text day,moment decimal,int decimal,double
greatest(a, b, c) : int,int,int
greatest(a, 1) : tinyint smallint decimal
hex(a) : int bigint text bytes
hypot(a, b) : small,small
isnan(a) : double float int
least(a, b) : int,bigint double,double float,double text,text decimal,int
ln(a) : small
log(a) : small
log(a, b) : small,small
log10(a) : small
log1p(a) : small
log2(a) : small
mod(a, b) : int,int double,double decimal,decimal
nanvl(a, b) : double,double float,double
negative(a) : int bigint double decimal tinyint
pi() :
pmod(a, b) : int,int bigint,bigint double,double decimal,decimal tinyint,tinyint
positive(a) : int double
pow(a, b) : small,small int,int
power(a, b) : small,small
radians(a) : small
rint(a) : double int
round(a) : double float decimal wide int number
round(a, 2) : double float decimal wide int bigint
round(a, 1) : double float decimal
round(a, -1) : double float decimal int bigint tinyint
round(a, 5) : double float
round(a, b) : double,digits float,digits int,digits
sec(a) : small
shiftleft(a, b) : int,bits bigint,bits
shiftright(a, b) : int,bits bigint,bits
shiftrightunsigned(a, b) : int,bits bigint,bits
sign(a) : double int decimal
signum(a) : double int decimal
sin(a) : small
sinh(a) : small
sqrt(a) : small int
tan(a) : small
tanh(a) : small
try_add(a, b) : int,int bigint,bigint double,double decimal,decimal tinyint,tinyint wide,wide
try_divide(a, b) : int,int double,double decimal,decimal bigint,bigint
try_mod(a, b) : int,int double,double decimal,decimal
try_multiply(a, b) : int,int bigint,bigint double,double decimal,decimal
try_subtract(a, b) : int,int bigint,bigint double,double decimal,decimal
unhex(a) : text number
width_bucket(a, 0, 10, 5) : small
-- Conditions and NULL
coalesce(a, 0) : tinyint smallint bigint decimal
coalesce(a, b) : float,int float,decimal tinyint,int int,bigint float,double decimal,int text,text ints,ints day,moment
equal_null(a, b) : int,int double,double
if(a, b, 1) : bool,tinyint
if(a, b, c) : bool,int,bigint bool,text,text bool,float,double
ifnull(a, b) : int,bigint text,text float,double
isnotnull(a) : int text
isnull(a) : double ints
nullif(a, b) : int,int double,double text,text
nullifzero(a) : int double decimal
nvl(a, b) : int,bigint double,decimal
nvl2(a, b, c) : int,int,bigint text,int,int
typeof(a) : bool tinyint smallint int bigint float double decimal wide text day moment bytes ints doubles texts nested map struct
typeof(a + b) : int,bigint decimal,decimal float,float int,decimal
typeof(a / b) : int,int decimal,decimal wide,decimal float,float int,decimal
typeof(a * b) : decimal,decimal int,decimal wide,wide
zeroifnull(a) : int double decimal
assert_true(a) : bool
-- Text
ascii(a) : text int
base64(a) : text bytes
bit_length(a) : text bytes int
btrim(a) : text
btrim(a, b) : text,part
char(a) : int bigint
char_length(a) : text int bytes
character_length(a) : text
chr(a) : int bigint
concat(a, b) : text,text int,text ints,ints double,text moment,text bytes,bytes decimal,bool
concat(a) : text int
concat_ws(a, b) : part,texts part,text part,int
concat_ws(',', a, b) : text,text double,decimal moment,day int,bool text,texts ints,text float,bigint
contains(a, b) : text,part int,part bytes,bytes
crc32(a) : text bytes
decode(a, 'UTF-8') : bytes
decode(a, 'abc', 1, 2) : text
elt(a, b, c) : pair,text,text
encode(a, 'UTF-8') : text
endswith(a, b) : text,part bytes,bytes
find_in_set(a, b) : part,text
format_string('%s-%s', a, b) : text,int
hash(a) : int text double bool day ints
xxhash64(a) : int text double moment decimal
initcap(a) : text
instr(a, b) : text,part int,part
lcase(a) : text
left(a, b) : text,count int,count
len(a) : text
length(a) : text int bytes double moment
levenshtein(a, b) : text,text
levenshtein(a, b, 2) : text,part
locate(a, b) : part,text
locate(a, b, c) : part,text,count
lower(a) : text int
lpad(a, b, c) : text,count,part
lpad(a, b) : text,count
ltrim(a) : text
luhn_check(a) : number
mask(a) : text
md5(a) : text bytes
octet_length(a) : text bytes
overlay(a, b, c) : text,part,count
position(a, b) : part,text
position(a IN b) : part,text
printf('%d', a) : int
quote(a) : text
regexp_count(a, b) : text,pattern
regexp_extract(a, b) : text,pattern
regexp_extract(a, '([a-z])([a-z]?)', b) : text,pair
regexp_extract(a, '([a-z])([a-z]?)', 2) : text
regexp_extract(a, '[a-z]', 0) : text
regexp_extract_all(a, '([a-z])([a-z]?)', 2) : text
regexp_extract_all(a, '[a-z]', 0) : text
regexp_instr(a, b) : text,pattern
regexp_like(a, b) : text,pattern
regexp_replace(a, b, c) : text,pattern,part
regexp_replace(a, '([a-z])', '<$1>') : text
regexp_replace(a, 'x*', '-') : text
regexp_replace(a, '[a-c]', '_', 2) : text
regexp_replace(a, '[a-c]', '_', b) : text,count
regexp_substr(a, b) : text,pattern
repeat(a, b) : text,count int,count
replace(a, b) : text,part
replace(a, b, c) : text,part,part
reverse(a) : text int ints texts
right(a, b) : text,count
rpad(a, b, c) : text,count,part
rpad(a, b) : text,count
rtrim(a) : text
sha(a) : text
sha1(a) : text bytes
sha2(a, 256) : text bytes
sha2(a, 512) : text
sha2(a, 0) : text
soundex(a) : text
space(a) : count
split(a, b) : text,pattern
split(a, ',') : text
split(a, ',', 2) : text
split(a, ',', b) : text,count
split_part(a, b, c) : text,part,count
split_part(a, ',', 2) : text
split_part(a, ',', -1) : text
startswith(a, b) : text,part bytes,bytes
substr(a, b) : text,count int,count
substr(a, b, c) : text,count,count
substring(a, b, c) : text,count,count bytes,count,count
substring(a, b) : text,count
substring(a FROM 2 FOR 2) : text
substring_index(a, b, c) : text,part,count
substring_index(a, ',', b) : text,count
to_char(a, '999.99') : decimal int
to_number(a, '999') : number
translate(a, b, c) : text,part,part
trim(a) : text int
trim(BOTH 'a' FROM a) : text
trim(LEADING ' a' FROM a) : text
ucase(a) : text
unbase64(a) : text part
upper(a) : text int
url_decode(a) : text part
url_encode(a) : text
-- Dates and times
add_months(a, b) : day,count moment,count daytext,count day,digits
convert_timezone(a, 'UTC', b) : zone,moment
date_add(a, b) : day,count moment,count daytext,count
date_diff(a, b) : day,day moment,moment daytext,day
date_format(a, 'yyyy-MM-dd HH:mm:ss') : moment day daytext
date_format(a, 'y M d H m s') : moment
date_format(a, 'EEE MMM dd') : moment day
date_format(a, 'EEEE MMMM D DDD') : day
date_format(a, 'hh:mm a') : moment
date_format(a, 'SSS SSSSSS') : moment
date_format(a, 'yy Q') : day
date_from_unix_date(a) : count
date_part('year', a) : day moment
date_part('second', a) : moment
date_part('week', a) : day
date_part('dow', a) : day
datepart('month', a) : day moment
date_sub(a, b) : day,count moment,count
date_trunc('month', a) : moment day daytext
date_trunc('week', a) : moment
date_trunc('quarter', a) : moment
date_trunc('hour', a) : moment
date_trunc('second', a) : moment
date_trunc('millisecond', a) : moment
date_trunc('nothing', a) : moment
date_trunc('DD', a) : moment
date_trunc('MON', a) : moment
dateadd(MONTH, b, a) : day,count moment,count
dateadd(DAY, b, a) : day,count moment,count
dateadd(YEAR, b, a) : day,count
dateadd(HOUR, b, a) : moment,count day,count
datediff(a, b) : day,day moment,moment day,moment daytext,daytext
datediff(MONTH, a, b) : day,day moment,moment
datediff(YEAR, a, b) : day,day moment,moment
datediff(DAY, a, b) : moment,moment day,day
datediff(WEEK, a, b) : day,day moment,moment
datediff(QUARTER, a, b) : day,day
datediff(HOUR, a, b) : moment,moment
datediff(SECOND, a, b) : moment,moment
timestampdiff(MONTH, a, b) : moment,moment day,day
timestampadd(MONTH, b, a) : moment,count
day(a) : day moment daytext
dayname(a) : day moment
dayofmonth(a) : day
dayofweek(a) : day moment daytext
dayofyear(a) : day moment
extract(YEAR FROM a) : day moment
extract(MONTH FROM a) : day
extract(DAY FROM a) : moment
extract(HOUR FROM a) : moment
extract(SECOND FROM a) : moment
extract(WEEK FROM a) : day
extract(DOW FROM a) : day
extract(DAYOFWEEK_ISO FROM a) : day
extract(YEAROFWEEK FROM a) : day
extract(QUARTER FROM a) : day
from_unixtime(a) : seconds
from_unixtime(a, 'yyyy-MM-dd') : seconds
from_utc_timestamp(a, b) : moment,zone daytext,zone
from_utc_timestamp(a, 'Europe/Berlin') : moment
from_utc_timestamp(a, 'America/New_York') : moment
hour(a) : moment daytext day
last_day(a) : day moment daytext
make_date(2024, a, b) : pair,digits
make_timestamp(2024, 2, 29, a, b, 30.5) : pair,digits
minute(a) : moment
month(a) : day moment daytext
monthname(a) : day moment
months_between(a, b) : day,day moment,moment
months_between(a, b, false) : day,day moment,moment
next_day(a, 'MON') : day moment
next_day(a, 'tuesday') : day
next_day(a, b) : day,part day,weekday
quarter(a) : day moment
second(a) : moment daytext
timestamp_micros(a) : seconds
timestamp_millis(a) : seconds
timestamp_seconds(a) : seconds small
to_date(a) : daytext moment day
to_date(a, 'yyyy-MM-dd') : daytext
to_date(a, 'dd.MM.yyyy') : daytext
to_timestamp(a) : daytext day moment
to_timestamp(a, 'yyyy-MM-dd HH:mm:ss') : daytext
to_timestamp_ntz(a) : daytext
to_unix_timestamp(a) : moment day daytext
to_utc_timestamp(a, b) : moment,zone
to_utc_timestamp(a, 'Europe/Berlin') : moment daytext
to_utc_timestamp(a, 'America/New_York') : moment
trunc(a, 'MM') : day moment daytext
trunc(a, 'YEAR') : day
trunc(a, 'WEEK') : day
trunc(a, 'Q') : day
trunc(a, 'QUARTER') : day
trunc(a, b) : day,part
try_to_date(a) : daytext
try_to_timestamp(a) : daytext
try_to_timestamp(a, 'yyyy-MM-dd') : daytext
unix_date(a) : day
unix_micros(a) : moment
unix_millis(a) : moment
unix_seconds(a) : moment
unix_timestamp(a) : moment day daytext
unix_timestamp(a, 'yyyy-MM-dd') : daytext
weekday(a) : day moment
weekofyear(a) : day moment
year(a) : day moment daytext
a + INTERVAL 1 MONTH : day moment
a - INTERVAL 1 MONTH : day moment
a + INTERVAL 1 DAY : day moment
a - INTERVAL 1 YEAR : day
a + INTERVAL 90 MINUTES : moment day
-- Arrays
array(a, 1) : tinyint smallint
array(a, b) : float,int float,decimal int,bigint text,text decimal,int float,double
array_append(a, b) : ints,int texts,text
array_compact(a) : ints texts
array_contains(a, b) : ints,int texts,text doubles,double
array_distinct(a) : ints texts doubles nested
array_except(a, b) : ints,ints texts,texts doubles,doubles
array_insert(a, b, 9) : ints,count
array_intersect(a, b) : ints,ints texts,texts doubles,doubles
array_join(a, ',') : texts ints doubles moments decimals days bools
array_join(a, ',', '-') : texts ints
array_join(a, b) : texts,part
array_max(a) : ints texts doubles days nested
array_min(a) : ints texts doubles days nested
array_position(a, b) : ints,int texts,text doubles,double
array_prepend(a, b) : ints,int texts,text
array_remove(a, b) : ints,int texts,text doubles,double
array_repeat(a, b) : int,count text,count
array_size(a) : ints texts
array_sort(a) : ints texts doubles days
array_union(a, b) : ints,ints texts,texts doubles,doubles
arrays_overlap(a, b) : ints,ints texts,texts doubles,doubles
arrays_zip(a, b) : ints,texts
cardinality(a) : ints map
element_at(a, b) : ints,count texts,count numbered,count map,part
exists(a, x -> x > 1) : ints doubles
filter(a, x -> x > 1) : ints doubles
filter(a, (x, i) -> i > 0) : ints
flatten(a) : nested
forall(a, x -> x > 0) : ints doubles
get(a, b) : ints,count texts,count
a[b] : ints,pair texts,pair numbered,pair map,part
aggregate(a, 0, (x, y) -> x + y) : ints
aggregate(a, 0D, (x, y) -> x + y, x -> x * 2) : doubles
reduce(a, 0, (x, y) -> x + coalesce(y, 0)) : ints
sequence(a, b) : count,count
sequence(a, b, 2) : count,count
sequence(a, b, c) : count,count,pair
sequence(DATE'2024-01-31', DATE'2024-06-30', INTERVAL 1 MONTH) :
sequence(DATE'2024-06-30', DATE'2024-01-31', INTERVAL -1 MONTH) :
sequence(DATE'2024-01-30', DATE'2025-01-30', INTERVAL 3 MONTHS) :
sequence(TIMESTAMP'2024-01-31 10:00:00', TIMESTAMP'2024-04-30 09:00:00', INTERVAL 1 MONTH) :
sequence(DATE'2024-02-28', DATE'2024-03-01') :
sequence(TIMESTAMP'2024-02-28 00:00:00', TIMESTAMP'2024-02-28 03:00:00', INTERVAL 1 HOUR) :
size(a) : ints map texts
slice(a, b, c) : ints,count,count texts,count,count
sort_array(a) : ints texts doubles days nested
sort_array(a, false) : ints texts doubles
transform(a, x -> x * 2) : ints doubles
transform(a, (x, i) -> i) : texts
try_element_at(a, b) : ints,count map,part
zip_with(a, b, (x, y) -> x + y) : ints,ints doubles,ints
shuffle(a) : ints
-- Maps and structs
map(a, b) : text,int int,text
map_concat(a, b) : map,map numbered,numbered
map_contains_key(a, b) : map,part numbered,int
map_entries(a) : map numbered
map_filter(a, (k, v) -> v > 0) : map
map_from_arrays(a, b) : ints,ints texts,ints
map_from_entries(array(struct(a, b))) : text,int
map_keys(a) : map numbered
map_values(a) : map numbered
map_zip_with(a, b, (k, x, y) -> x + y) : map,map
named_struct('x', a, 'y', b) : int,text double,day
struct(a, b) : int,text
a.n : struct
a.s : struct
str_to_map(a, ',', ':') : text
transform_keys(a, (k, v) -> upper(k)) : map
transform_values(a, (k, v) -> v + 1) : map
-- JSON
from_json(a, 'a INT, b STRING') : json text
from_json(a, 'a DOUBLE, c ARRAY<INT>') : json
from_json(a, 'a STRING, d STRUCT<e: INT>') : json
from_json(a, 'a BIGINT, b BOOLEAN') : json
from_json(a, 'a TINYINT') : json
from_json(a, 'a DECIMAL(5, 2)') : json
from_json(a, 'a DATE, b TIMESTAMP') : json
from_json(a, 'ARRAY<INT>') : json
from_json(a, 'MAP<STRING, STRING>') : json
get_json_object(a, '$.a') : json text
get_json_object(a, '$.b') : json
get_json_object(a, '$.c') : json
get_json_object(a, '$.c[0]') : json
get_json_object(a, '$.d.e') : json
get_json_object(a, '$.d') : json
get_json_object(a, '$[1]') : json
get_json_object(a, '$') : json
json_array_length(a) : json
json_object_keys(a) : json
to_json(a) : struct record map numbered ints texts nested moments doubles
to_json(named_struct('v', a)) : int double float decimal text day moment bool bytes wide bigint
schema_of_json('{"a": 1}') :
-- Aggregates
any(a) : bool
any_value(a) : count
approx_count_distinct(a) : int text
approx_percentile(a, 0.5) : int double decimal
array_agg(a) : int text
avg(a) : tinyint int bigint float double decimal wide small
bit_and(a) : int bigint
bit_or(a) : int bigint
bit_xor(a) : int bigint tinyint
bool_and(a) : bool
bool_or(a) : bool
collect_list(a) : int text double ints
sort_array(collect_set(a)) : int text double
corr(a, b) : small,small int,int
count(a) : int text ints
count(*) : int
count(DISTINCT a) : int text double
count_if(a) : bool
covar_pop(a, b) : small,small int,int
covar_samp(a, b) : small,small int,int
every(a) : bool
first(a) : int text
first(a, true) : int
first_value(a) : int
kurtosis(a) : int digits
last(a) : int text
listagg(a, ',') : text
max(a) : int double float text day moment decimal ints bool
max_by(a, b) : int,digits text,int
max_by(a, n) : int text ints
max_by(n, a) : int double text day
mean(a) : int double
median(a) : int digits double decimal
min(a) : int double float text day moment decimal ints bool
min_by(a, b) : int,digits text,int
min_by(a, n) : int text ints
min_by(n, a) : int double text day
mode(a) : count
percentile(a, 0.5) : int digits decimal
percentile(a, 0.25) : digits double
percentile_approx(a, 0.5) : digits
percentile_cont(0.5) WITHIN GROUP (ORDER BY a) : digits
percentile_disc(0.5) WITHIN GROUP (ORDER BY a) : digits
regr_avgx(a, b) : int,digits
regr_avgy(a, b) : int,digits
regr_count(a, b) : int,digits
regr_intercept(a, b) : int,digits
regr_r2(a, b) : int,digits
regr_slope(a, b) : int,digits
regr_sxx(a, b) : int,digits
regr_sxy(a, b) : int,digits
regr_syy(a, b) : int,digits
skewness(a) : digits
some(a) : bool
std(a) : digits
stddev(a) : digits small
stddev_pop(a) : digits
stddev_samp(a) : digits int
string_agg(a, ',') : text
sum(a) : tinyint int bigint float double decimal wide number
try_avg(a) : int
try_sum(a) : int bigint
var_pop(a) : digits int
var_samp(a) : digits
variance(a) : digits
-- Window functions
cume_dist() OVER (ORDER BY a) : int double
dense_rank() OVER (ORDER BY a) : int double
first_value(a) OVER (ORDER BY n) : int
lag(a) OVER (ORDER BY n) : int text
lag(a, 2, 0) OVER (ORDER BY n) : int
last_value(a) OVER (ORDER BY n) : int
lead(a) OVER (ORDER BY n) : int text
nth_value(a, 2) OVER (ORDER BY n) : int
ntile(3) OVER (ORDER BY n) : int
percent_rank() OVER (ORDER BY a) : int
rank() OVER (ORDER BY a) : int double text
row_number() OVER (ORDER BY n) : int
sum(a) OVER (ORDER BY n) : int decimal
avg(a) OVER (ORDER BY n) : int decimal
count(a) OVER (ORDER BY n) : int
collect_list(a) OVER (ORDER BY n) : int
collect_set(a) OVER (PARTITION BY a) : int
max(a) OVER (ORDER BY n) : double
