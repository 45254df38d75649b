-- Imports from before migration 0008 kept neither who imported nor how the file was read. All were the command line's.
UPDATE store.import SET actor = '{"type": "cli", "id": null, "label": "command line"}' WHERE actor = '{}';
UPDATE store.import SET shape = '{"header": []}' WHERE shape IS NULL AND state <> 'uploading';
ALTER TABLE store.import ALTER actor DROP DEFAULT;
