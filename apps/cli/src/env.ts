/** What the command line reads of its environment. */
export const env = {
  PATH: process.env.PATH,
  /** The data directory where none is named. */
  DOCKET_DATA: process.env.DOCKET_DATA,
  DOCKET_SHARE_PASSWORD: process.env.DOCKET_SHARE_PASSWORD,
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME,
}
