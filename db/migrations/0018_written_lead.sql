-- Leads with the transaction that wrote each of them last, by which a page knows whether its rows are still those that it
-- showed. It comes first, so that columns that leads get later can be added behind, here as in the view of leads.
CREATE VIEW leadgate.written_lead AS
SELECT lead.xmin AS written_by, lead.* FROM store.lead WHERE lead.project_id = leadgate.own_project();
