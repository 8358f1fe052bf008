/** What the command line reads of its environment. */
export const env = {
  PATH: process.env.PATH,
  DOCKET_SHARE_PASSWORD: process.env.DOCKET_SHARE_PASSWORD,
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME,
}
