// Words of DuckDB's SELECT, and functions that are offered.

export const KEYWORDS = new Set(
  `ALL AND ANY AS ASC BETWEEN BY CASE CAST CROSS CURRENT_DATE DATE DESC DESCRIBE DISTINCT ELSE END EXCEPT EXCLUDE EXISTS
  FALSE FILTER FIRST FOLLOWING FROM FULL GROUP GROUPING HAVING ILIKE IN INNER INTERSECT INTERVAL IS JOIN LAST LATERAL LEFT
  LIKE LIMIT MATERIALIZED NOT NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION PIVOT PRECEDING QUALIFY RANGE RECURSIVE
  REPLACE RIGHT ROWS SELECT SEMI SETS SIMILAR SUMMARIZE THEN TIMESTAMP TO TRUE UNBOUNDED UNION UNNEST UNPIVOT USING VALUES
  WHEN WHERE WINDOW WITH`.split(/\s+/),
);

export const FUNCTIONS = `abs any_value array_to_string avg ceil coalesce concat contains count date_diff date_part date_trunc
  day floor greatest ifnull least length list list_contains lower max median min month monthname now nullif quarter
  regexp_extract regexp_matches regexp_replace replace round row_number starts_with strftime string_agg substring sum today
  trim try_cast unnest upper week year`.split(/\s+/);
