import { expect, test } from "vitest"
import { fetchesPackage, npxCommand } from "./npx-command.ts"

test.each([
  ["npx -y pkg", { spec: "pkg", program: null, args: [] }],
  [
    "/usr/bin/npx --yes @scope/pkg@1.2.3 --flag dir",
    { spec: "@scope/pkg@1.2.3", program: null, args: ["--flag", "dir"] },
  ],
  ["npx pkg@latest", { spec: "pkg", program: null, args: [] }],
  ["npx -y -p pkg run -x", { spec: "pkg", program: "run", args: ["-x"] }],
  ["npx --package=pkg@2.0.0 -- run", { spec: "pkg@2.0.0", program: "run", args: [] }],
  ["npm exec --yes -- pkg@1.0.0 dir", { spec: "pkg@1.0.0", program: null, args: ["dir"] }],
  ["npm x pkg", { spec: "pkg", program: null, args: [] }],
  ["pnpm dlx --package=pkg run", { spec: "pkg", program: "run", args: [] }],
  ["yarn dlx pkg", { spec: "pkg", program: null, args: [] }],
  ["bunx pkg", { spec: "pkg", program: null, args: [] }],
  ["bun x pkg", { spec: "pkg", program: null, args: [] }],
  ["env A=1 npx.cmd pkg", { spec: "pkg", program: null, args: [] }],
  ["npm run x", null],
  ["pnpm exec pkg", null],
  ["bunx --bun pkg", null],
  ["uvx pkg", null],
  ["node npx pkg", null],
  ["npx --registry=https://x pkg", null],
  ["npx -p one -p two run", null],
  ["npx -c echo", null],
  ["npx -y", null],
])("the package of %s is found", (command, found) => {
  expect(npxCommand(command.split(" "))).toEqual(found)
})

test.each([
  ["exec npx -y pkg --flag", { spec: "pkg", program: null, args: ["--flag"] }],
  ["npx pkg && npx other", null],
  ["npx $PACKAGE", null],
])("the package of a shell's text %s is found", (text, found) => {
  expect(npxCommand(["sh", "-c", text])).toEqual(found)
  expect(npxCommand(["/bin/bash", "-lc", text])).toEqual(found)
})

test.each([
  [["npx", "-c", "echo"], true],
  [["npx", "-p", "one", "-p", "two", "run"], true],
  [["npm", "--silent", "exec", "pkg"], true],
  [["uvx", "pkg"], true],
  [["uv", "tool", "run", "pkg"], true],
  [["pipx", "run", "pkg"], true],
  [["sh", "-c", "cd server && npm --silent exec pkg"], true],
  [["bash", "-c", "npx $PACKAGE"], true],
  [["env", "-S", "npx pkg"], true],
  [["npm", "run", "serve"], false],
  [["npm", "execute"], false],
  [["pnpm", "exec", "pkg"], false],
  [["node", "server.mjs", "npx"], false],
  [["sh", "-c", "node server.mjs"], false],
  [["sh", "serve.sh"], false],
])("whether %j fetches a package is seen", (command, fetches) => {
  expect(fetchesPackage(command)).toBe(fetches)
})
