import { Builders, Factories } from "@cyclonedx/cyclonedx-library/Contrib/FromNodePackageJson"
import { Factories as LicenseFactories } from "@cyclonedx/cyclonedx-library/Contrib/License"
import { ComponentType } from "@cyclonedx/cyclonedx-library/Enums"
import { Bom, type Component } from "@cyclonedx/cyclonedx-library/Models"
import { JSON as Json, JsonSerializer } from "@cyclonedx/cyclonedx-library/Serialize"
import { Spec1dot6 } from "@cyclonedx/cyclonedx-library/Spec"
import { PackageURL } from "packageurl-js"
import parseExpression from "spdx-expression-parse"
import type { ContainedPackage } from "./contained-packages.ts"

type Described = Pick<ContainedPackage, "name" | "version" | "license" | "homepage">

/** What a release consists of, as CycloneDX 1.6 in JSON. The same packages give the same text. */
export function billOfMaterials(release: Described, packages: readonly Described[]): string {
  const bom = new Bom()
  const own = componentOf(release, ComponentType.Application)
  bom.metadata.component = own
  for (const one of packages) {
    const component = componentOf(one, ComponentType.Library)
    bom.components.add(component)
    own.dependencies.add(component.bomRef)
  }
  const serializer = new JsonSerializer(new Json.Normalize.Factory(Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

function componentOf({ name, version, license, homepage }: Described, type: ComponentType): Component {
  const licenses = new LicenseFactories.LicenseFactory(parseExpression)
  const builder = new Builders.ComponentBuilder(new Factories.ExternalReferenceFactory(), licenses)
  const component = builder.makeComponent({ name, version, license, ...(homepage && { homepage }) }, type)
  if (component === undefined) throw new Error(`${name} is no name of a package.`)
  const { name: base, group } = component
  component.bomRef.value = `${name}@${version}`
  component.purl = new PackageURL("npm", group ?? null, base, version, null, null).toString()
  return component
}
