import { expect, test } from "vitest"
import { userConfigDirectory } from "./user-directory.ts"

test.each([
  [undefined, "/home/me/.config/docket"],
  ["", "/home/me/.config/docket"],
  ["/etc/xdg", "/etc/xdg/docket"],
  [".config", "/home/me/.config/docket"],
])("the user's own configuration never lies in the project: XDG_CONFIG_HOME %j", (XDG_CONFIG_HOME, directory) => {
  expect(userConfigDirectory({ env: { XDG_CONFIG_HOME }, home: "/home/me" })).toBe(directory)
})
