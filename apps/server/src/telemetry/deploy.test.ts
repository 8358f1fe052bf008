import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { z } from "zod"
import { type MetricName, metric } from "./names.ts"

const directory = path.resolve(import.meta.dirname, "../../../../deploy/telemetry")
const textOf = (file: string) => readFileSync(path.join(directory, file), "utf8")

/** What Prometheus reads of a metric. */
function seriesOf({ name, kind }: MetricName): string[] {
  const plain = name.replaceAll(".", "_")
  if (kind === "counter") return [`${plain}_total`]
  return kind === "gauge" ? [plain] : ["bucket", "count", "sum"].map((part) => `${plain}_${part}`)
}

/** With those that Prometheus and its exporter make themselves. */
const known = new Set(["up", "target_info", ...Object.values(metric).flatMap(seriesOf)])

/** The metrics in an expression: names before braces, ranges or ends, which are no functions, labels or words. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}/g, " ")
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/\bby \([^)]*\)/g, " ")
  return [...bare.matchAll(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/g)].map(([name]) => name).filter((name) => name !== "sum")
}

const Dashboard = z.object({
  title: z.string().min(1),
  uid: z.string().min(1),
  schemaVersion: z.int(),
  panels: z.array(
    z.object({
      id: z.int(),
      type: z.enum(["timeseries", "stat"]),
      title: z.string().min(1),
      description: z.string().min(1),
      gridPos: z.object({ h: z.int().positive(), w: z.int().positive(), x: z.int(), y: z.int() }),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }) }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1), legendFormat: z.string() })).min(1),
    }),
  ),
})

it("the dashboard shows every metric, and no others", () => {
  const { panels } = Dashboard.parse(JSON.parse(textOf("grafana-dashboard.json")))
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))))
  expect([...shown].filter((name) => !known.has(name))).toEqual([])
  const missing = Object.values(metric).filter((one) => !seriesOf(one).some((name) => shown.has(name)))
  expect(missing).toEqual([])
})

it("the panels of the dashboard do not overlap", () => {
  const { panels } = Dashboard.parse(JSON.parse(textOf("grafana-dashboard.json")))
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
})

it("alerts name only metrics that there are", () => {
  const rules = textOf("alerts.yml")
  const expressions = [...rules.matchAll(/expr: (?:\|\n((?: {10,}.*\n)+)|(.*)\n)/g)].map(
    ([, long, short]) => long ?? short,
  )
  expect(expressions).toHaveLength(rules.split("- alert:").length - 1)
  const named = expressions.flatMap((expression) => metricsIn(expression ?? ""))
  expect(named.length).toBeGreaterThan(expressions.length)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

it.for([
  ["check", "config", "prometheus.yml"],
  ["check", "rules", "alerts.yml"],
  ["test", "rules", "alerts.test.yml"],
])("promtool %s %s accepts %s", (args, { skip }) => {
  const { error, status, stdout, stderr } = spawnSync("promtool", args, { cwd: directory, encoding: "utf8" })
  if (error) return skip("promtool is not on this machine")
  expect([status, status === 0 ? "" : stdout + stderr]).toEqual([0, ""])
})
