-- Permissions of their own for the schema and for erasure. Existing keys keep what they could do.

UPDATE store.api_key SET permissions = permissions || '{schema:write}'
  WHERE 'leads:write' = ANY (permissions) AND NOT 'schema:write' = ANY (permissions);

-- Until now a key could erase while its creator was an owner.
UPDATE store.api_key k SET permissions = permissions || '{leads:erase}'
  WHERE 'leads:write' = ANY (permissions) AND NOT 'leads:erase' = ANY (permissions)
    AND EXISTS (SELECT FROM membership m WHERE m.person_id = k.created_by AND m.project_id = k.project_id AND m.role = 'owner');
