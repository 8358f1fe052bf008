import { expect, test } from "vitest"
import { npxCommand } from "./npx-command.ts"

test.each([
  ["npx -y pkg", { spec: "pkg", program: null, args: [] }],
  [
    "/usr/bin/npx --yes @scope/pkg@1.2.3 --flag dir",
    { spec: "@scope/pkg@1.2.3", program: null, args: ["--flag", "dir"] },
  ],
  ["npx pkg@latest", { spec: "pkg", program: null, args: [] }],
  ["npx -y -p pkg run -x", { spec: "pkg", program: "run", args: ["-x"] }],
  ["npx --package=pkg@2.0.0 -- run", { spec: "pkg@2.0.0", program: "run", args: [] }],
  ["node npx pkg", null],
  ["npx --registry=https://x pkg", null],
  ["npx -p one -p two run", null],
  ["npx -c echo", null],
  ["npx -y", null],
])("the package of %s is found", (command, found) => {
  expect(npxCommand(command.split(" "))).toEqual(found)
})
