/** All environment variables that the command line reads. */
export const env = {
  PATH: process.env.PATH,
  /** The default data directory. */
  /** How long the Tab key waits for a service (ms). */
  DOCKET_COMPLETION_WAIT: process.env.DOCKET_COMPLETION_WAIT,
  DOCKET_DATA: process.env.DOCKET_DATA,
  /** A key for the server that `--server` names, in place of a sign-in. It goes nowhere else. */
  DOCKET_KEY: process.env.DOCKET_KEY,
  DOCKET_SHARE_PASSWORD: process.env.DOCKET_SHARE_PASSWORD,
  XDG_CACHE_HOME: process.env.XDG_CACHE_HOME,
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME,
}
