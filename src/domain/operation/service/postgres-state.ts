/** The PostgreSQL that serves the data folder of this process. */
export interface PostgresState {
  /** The version of the running server, such as 18.4. */
  version: string;
  /** The folder of PG_BIN; undefined for the PostgreSQL that comes along. */
  pgBin: string | undefined;
}
