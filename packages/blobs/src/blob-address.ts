import { fileURLToPath } from "node:url"
import { DocketError } from "@docket/core"

/** The variables that say where contents are kept. Those of AWS have the names that its own tools read. */
export interface BlobEnvironment {
  /** `s3://bucket/prefix`, or `file:///directory` for one that all hosts have. */
  DOCKET_BLOBS?: string | undefined
  /** The address of an S3 service other than Amazon's. */
  AWS_ENDPOINT_URL_S3?: string | undefined
  AWS_REGION?: string | undefined
  AWS_ACCESS_KEY_ID?: string | undefined
  AWS_SECRET_ACCESS_KEY?: string | undefined
  /** Belongs to keys that expire. */
  AWS_SESSION_TOKEN?: string | undefined
  /** Whether the bucket is part of the path, not of the host name. */
  DOCKET_BLOBS_PATH_STYLE?: boolean | undefined
}

export interface S3Settings {
  kind: "s3"
  bucket: string
  /** Ends with `/`, or is empty. */
  prefix: string
  /** Null for Amazon's own. */
  endpoint: URL | null
  region: string
  pathStyle: boolean
  /** Null when the AWS SDK has to find keys. */
  keys: { id: string; secret: string } | null
}

export type BlobSettings = S3Settings | { kind: "files"; directory: string }

/** Reads where contents are kept; null when each host keeps its own. @throws invalid_input that names the variable */
export function readBlobAddress(env: BlobEnvironment): BlobSettings | null {
  const { DOCKET_BLOBS: address } = env
  if (address === undefined) return null
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol === "file:" && url.host === "" && url.pathname !== "/") {
    return { kind: "files", directory: fileURLToPath(url) }
  }
  if (url?.protocol !== "s3:" || url.host === "" || url.username !== "" || url.search !== "" || url.hash !== "") {
    throw wrong("DOCKET_BLOBS has to be like s3://bucket/prefix or file:///directory, without keys in it.")
  }
  // Not from the parsed host: it would be in lower case, and a bucket that is named wrongly would be another one.
  const bucket = address.slice("s3://".length).split("/", 1)[0] ?? ""
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw wrong(`DOCKET_BLOBS names the bucket "${bucket}". Names of buckets have 3 to 63 of a-z, 0-9, dot and dash.`)
  }
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "")
  if (!/^[A-Za-z0-9._/-]*$/.test(prefix) || prefix.split("/").some((part) => /^\.\.?$/.test(part))) {
    throw wrong(`DOCKET_BLOBS names the prefix "${prefix}". It may have letters, digits, dots, dashes and slashes.`)
  }
  return { kind: "s3", bucket, prefix: prefix === "" ? "" : `${prefix}/`, ...serviceOf(env) }
}

function serviceOf(env: BlobEnvironment): Pick<S3Settings, "endpoint" | "region" | "pathStyle" | "keys"> {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = env
  if ((id === undefined) !== (secret === undefined)) {
    const [has, lacks] =
      id === undefined ? ["SECRET_ACCESS_KEY", "ACCESS_KEY_ID"] : ["ACCESS_KEY_ID", "SECRET_ACCESS_KEY"]
    throw wrong(`AWS_${has} is set, but AWS_${lacks} is not: set both, or none.`)
  }
  const endpoint = endpointOf(env.AWS_ENDPOINT_URL_S3)
  if (endpoint === null && env.AWS_REGION === undefined) {
    throw wrong("DOCKET_BLOBS needs AWS_REGION, or AWS_ENDPOINT_URL_S3 for a service that is not Amazon's.")
  }
  return {
    endpoint,
    region: env.AWS_REGION ?? "us-east-1",
    pathStyle: env.DOCKET_BLOBS_PATH_STYLE ?? endpoint !== null,
    // Keys that expire come with a token, which only the SDK signs and renews.
    keys: id !== undefined && secret !== undefined && env.AWS_SESSION_TOKEN === undefined ? { id, secret } : null,
  }
}

function endpointOf(address: string | undefined): URL | null {
  if (address === undefined) return null
  const url = URL.canParse(address) ? new URL(address) : null
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.username === ""
  if (!isPlain) throw wrong("AWS_ENDPOINT_URL_S3 has to be like https://s3.example.org, without bucket and keys.")
  return url
}

function wrong(message: string): DocketError {
  return new DocketError("invalid_input", message)
}

/** The address that requests go to, with the bucket in it. */
export function bucketAddress({ bucket, endpoint, region, pathStyle }: S3Settings): string {
  const service = endpoint ?? new URL(`https://s3.${region}.amazonaws.com`)
  if (pathStyle) return `${service.origin}/${bucket}`
  return `${service.protocol}//${bucket}.${service.host}`
}
