import { z } from "zod"
import { DocketError } from "../../../ground/error/docket-error.ts"
import type { PackageFacts } from "../../../ground/schema/index.ts"
import { formatPackageSpec, isExactVersion, type PackageSpec } from "./package-spec.ts"
import { type NpmRun, runNpm } from "./run-npm.ts"
import { usualPackage } from "./usual-packages.ts"

const fields = [
  "name",
  "version",
  "dist",
  "description",
  "license",
  "repository",
  "deprecated",
  "dependencies",
  "scripts",
]

const Text = z.string().transform((text) => text.slice(0, 1_000))
const Manifest = z.object({
  name: z.string(),
  version: z.string().refine(isExactVersion),
  dist: z.object({ integrity: z.string().min(1), tarball: z.url({ protocol: /^https?$/ }) }),
  description: Text.nullish().catch(null),
  license: Text.nullish().catch(null),
  repository: z
    .union([Text, z.object({ url: Text }).transform(({ url }) => url)])
    .nullish()
    .catch(null),
  deprecated: Text.nullish().catch(null),
  dependencies: z.record(z.string(), z.string()).nullish().catch(null),
  scripts: z.record(z.string(), z.unknown()).nullish().catch(null),
})

/** ms */
const longest = 60_000

/** Asks the registry what it has under that name. Downloads no code. @throws package_not_found, package_unavailable, package_invalid */
export async function lookUpPackage(
  spec: PackageSpec,
  run: Omit<NpmRun, "timeout">,
): Promise<Omit<PackageFacts, "installed">> {
  const output = await runNpm(["view", formatPackageSpec(spec), ...fields], { ...run, timeout: longest })
  const manifest = Manifest.safeParse(parseView(output))
  if (!manifest.success || manifest.data.name !== spec.name) {
    const message = `The registry says too little of ${formatPackageSpec(spec)} to install it: its exact version, address and integrity are needed.`
    throw new DocketError("package_invalid", message)
  }
  const { name, version, dist, description, license, repository, deprecated, dependencies, scripts } = manifest.data
  return {
    name,
    version,
    integrity: dist.integrity,
    source: dist.tarball,
    description: description ?? null,
    license: license ?? null,
    repository: repository ?? null,
    deprecated: deprecated ?? null,
    dependencies: Object.keys(dependencies ?? {}),
    hasInstallScripts: ["preinstall", "install", "postinstall"].some((script) => script in (scripts ?? {})),
    usual: usualPackage(name)?.title ?? null,
  }
}

/** npm gives a list where several versions match. */
function parseView(output: string): unknown {
  try {
    const parsed: unknown = JSON.parse(output)
    return Array.isArray(parsed) ? parsed.at(-1) : parsed
  } catch {
    return null
  }
}
