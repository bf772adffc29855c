DELETE FROM Book WHERE objectID NOT IN (SELECT min(objectID) FROM Book GROUP BY isbn);
