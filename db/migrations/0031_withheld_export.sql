-- Reading leads includes exporting them, unless an API key, or a project for its viewers, withholds it.
ALTER TABLE store.api_key ADD export_withheld boolean NOT NULL DEFAULT false;
ALTER TABLE store.project ADD viewers_export boolean NOT NULL DEFAULT true;
SELECT wall('api_key');
SELECT wall('project');
