import { z } from "zod"

/** One exact version of a package, to which a user agrees. */
export const ExactPackage = z.object({
  name: z.string().min(1).max(214),
  version: z.string().min(1).max(100),
  /** The digest of its archive, as the registry announced it (Subresource Integrity). */
  integrity: z.string().min(1).max(1_000),
})
export type ExactPackage = z.infer<typeof ExactPackage>

/** The facts that are known about a package before it is installed. */
export const PackageFacts = ExactPackage.extend({
  /** Address of the archive. */
  source: z.string(),
  description: z.string().nullable(),
  license: z.string().nullable(),
  /** Where the code is kept, according to the package. */
  repository: z.string().nullable(),
  /** Why its authors advise against it. */
  deprecated: z.string().nullable(),
  /** The direct dependencies. */
  dependencies: z.array(z.string()),
  /** Whether the package has installation scripts. They are not run. */
  hasInstallScripts: z.boolean(),
  /** The provider for which Docket itself would use this package; null when there is none. */
  usual: z.string().nullable(),
  /** Whether exactly this version is installed. */
  installed: z.boolean(),
})
export type PackageFacts = z.infer<typeof PackageFacts>

/** A provider package that the user agreed to. */
export const InstalledPackage = ExactPackage.extend({
  /** Address of the archive. */
  source: z.url(),
  time: z.object({
    /** Epoch ms. */
    installed: z.number(),
  }),
})
export type InstalledPackage = z.infer<typeof InstalledPackage>
