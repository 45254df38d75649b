-- A project says which roles of its members may connect applications; every role may unless someone changes it.
ALTER TABLE store.project ADD connect_roles text[] NOT NULL DEFAULT '{owner,admin,editor,viewer}'
  CONSTRAINT project_connect_roles CHECK
    ('owner' = ANY (connect_roles) AND connect_roles <@ '{owner,admin,editor,viewer}'::text[]);
SELECT wall('project');
