-- The index of a person's authorizations holds the living ones, which only statements about a person ask for in its words.
-- Before, the planner took it for the way to one authorization while tables were small, kept that plan on its
-- connections, and read all of a project's grants at each refresh until somebody analyzed.
DROP INDEX store.authorization_of_person;
CREATE INDEX authorization_of_person ON store."authorization" (project_id, person_id) WHERE revoked_why IS NULL;
