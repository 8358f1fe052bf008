import { expect, it } from "vitest"
import { describeStartFailure } from "./describe-start-failure.ts"

const denied = (path: string) =>
  Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: "EACCES", path })

it("the error names the unwritable data or backup directory", () => {
  expect(describeStartFailure(denied("/srv/data/docket.db"), "/srv/data")).toMatch(/^cannot start on \/srv\/data: /)
  expect(describeStartFailure(denied("/var/backups/b.partial-1"), "/srv/data")).toMatch(
    /^cannot use \/var\/backups: this user may not write there: change the directory's owner or rights/,
  )
})
