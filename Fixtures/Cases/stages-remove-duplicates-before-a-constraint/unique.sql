DELETE FROM Person WHERE objectID NOT IN (SELECT min(objectID) FROM Person GROUP BY name);
