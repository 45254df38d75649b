-- An invitation remembers whether its link was only mailed, never shown: opening such a link proves the e-mail address.
ALTER TABLE store.invitation
  -- the links of older invitations were shown to those who sent them
  ADD mailed boolean NOT NULL DEFAULT false;
SELECT wall('invitation');
