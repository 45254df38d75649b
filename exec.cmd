@rem On Windows, npm runs scripts with cmd.exe, which has no exec: this file stands in for it.
@%*
