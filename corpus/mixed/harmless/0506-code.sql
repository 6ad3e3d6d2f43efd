-- author: tkhumalo
SELECT ward, COUNT(*) AS beds, SUM(occupied) AS used
FROM bed_state
GROUP BY ward
HAVING SUM(occupied) > 0;
