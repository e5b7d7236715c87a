/**
 * Structural checks of SAML responses, made before the signature is verified.
 *
 * Signature wrapping attacks use what a document may contain besides the signed part: a second assertion, a signature
 * elsewhere, two elements with one id. So nothing else is allowed: one response with one assertion, signatures only
 * directly in these two and each about its own parent, known algorithms, no comments.
 */
import { DOMParser } from '@xmldom/xmldom'
import { ApiError } from '../../../contract/errors.js'
import { limits } from '../../../contract/limits.js'

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
/** Element of a signature → the algorithms that it may name. SHA-1 is not among them. */
const allowedAlgorithms: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'SignatureMethod',
    ['256', '384', '512'].map((size) => `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${size}`),
  ],
  [
    'DigestMethod',
    [
      'http://www.w3.org/2001/04/xmlenc#sha256',
      'http://www.w3.org/2001/04/xmldsig-more#sha384',
      'http://www.w3.org/2001/04/xmlenc#sha512',
    ],
  ],
  ['CanonicalizationMethod', [exclusive]],
  ['Transform', [exclusive, 'http://www.w3.org/2000/09/xmldsig#enveloped-signature']],
])

export function refusal(problem: string): ApiError {
  return new ApiError('saml_refused', { problem })
}

/** Members of a response outside of its assertion, which may be unsigned. */
export interface ResponseHead {
  readonly inResponseTo: string | null
  readonly destination: string | null
  readonly issuer: string | null
}

/** Returns the head of a well-formed response; throws 401 saying what is wrong otherwise. */
export function checkResponse(encoded: string): ResponseHead {
  const root = parseXml(decode(encoded))
  if (!isNamed(root, namespaces.protocol, 'Response')) throw refusal('it is no SAML response')
  requireSuccess(root)

  const elements = allElements(root)
  requireSingleAssertion(root, elements)
  requireUniqueIds(elements)
  const assertion = childrenNamed(root, namespaces.assertion, 'Assertion')[0]!
  requireSignatures(elements, root, assertion)
  for (const nameId of elements.filter(({ localName }) => localName === 'NameID')) {
    if (nameId.childNodes.length !== 1 || nameId.firstChild!.nodeType !== 3) {
      throw refusal('the NameID of its assertion holds more than text')
    }
  }
  return {
    inResponseTo: attribute(root, 'InResponseTo'),
    destination: attribute(root, 'Destination'),
    issuer: childrenNamed(root, namespaces.assertion, 'Issuer')[0]?.textContent ?? null,
  }
}

function decode(encoded: string): string {
  if (encoded.length > limits.samlLength) throw refusal('it is too long')
  const compact = encoded.replace(/\s+/g, '')
  if (compact === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw refusal('it is not base64')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(compact, 'base64'))
  } catch {
    throw refusal('it is not UTF-8')
  }
}

/** Returns the root of a document without doctype, comments, CDATA or instructions; throws 401 for others. */
export function parseXml(xml: string): Element {
  // "<" occurs in markup only, so this matches nothing else.
  if (/<!doctype|<!entity/i.test(xml)) throw refusal('it holds a DOCTYPE, which is never allowed')
  if (xml.includes('<!')) throw refusal('it holds a comment or CDATA section')
  if (/<\?(?!xml[ \t\r\n])/.test(xml) || xml.lastIndexOf('<?') > 0) {
    throw refusal('it holds a processing instruction')
  }
  requireSmall(xml)
  const fail = () => {
    throw refusal('it is not well-formed XML')
  }
  const document = new DOMParser({
    errorHandler: { warning: fail, error: fail, fatalError: fail },
  }).parseFromString(xml, 'text/xml') as unknown as Document | undefined
  const roots = Array.from(document?.childNodes ?? []).filter(({ nodeType }) => nodeType === 1)
  if (roots.length !== 1) throw refusal('it is not one XML document')
  return roots[0] as Element
}

/** Limits the size before parsing: every "<" begins a tag, and every attribute has its "=". */
function requireSmall(xml: string): void {
  const count = (text: string): number => {
    let found = 0
    for (let at = xml.indexOf(text); at >= 0; at = xml.indexOf(text, at + 1)) found++
    return found
  }
  const isLarge =
    count('<') - count('</') > limits.xmlElements + 1 ||
    count('</') > limits.xmlElements ||
    count('=') > limits.xmlAttributes
  if (isLarge) throw refusal('it has too many elements')
}

function requireSuccess(root: Element): void {
  const status = childrenNamed(root, namespaces.protocol, 'Status')[0]
  const code = status && childrenNamed(status, namespaces.protocol, 'StatusCode')[0]
  const value = code && attribute(code, 'Value')
  if (value !== success) {
    throw refusal(`the identity provider did not sign in (${(value ?? 'no status').split(':').at(-1)})`)
  }
}

function requireSingleAssertion(root: Element, elements: readonly Element[]): void {
  const named = (name: string) => elements.filter(({ localName }) => localName === name)
  if (named('EncryptedAssertion').length > 0) {
    throw refusal('its assertion is encrypted: switch encryption off at the identity provider')
  }
  if (named('Response').length !== 1) throw refusal('it holds another response')
  const assertions = named('Assertion')
  if (assertions.length !== 1) throw refusal(`it holds ${assertions.length} assertions instead of one`)
  if (childrenNamed(root, namespaces.assertion, 'Assertion').length !== 1) {
    throw refusal('its assertion stands in the wrong place')
  }
}

function requireUniqueIds(elements: readonly Element[]): void {
  const seen = new Set<string>()
  for (const element of elements) {
    for (const { localName, name, value } of Array.from(element.attributes)) {
      if ((localName ?? name).toLowerCase() !== 'id') continue
      if (seen.has(value)) throw refusal('it uses an id twice')
      seen.add(value)
    }
  }
}

function requireSignatures(elements: readonly Element[], root: Element, assertion: Element): void {
  const signatures = elements.filter(({ localName }) => localName === 'Signature')
  for (const signature of signatures) {
    const parent = signature.parentNode
    if (!isNamed(signature, namespaces.signature, 'Signature') || (parent !== root && parent !== assertion)) {
      throw refusal('it holds a signature in the wrong place')
    }
    requireOwnReference(signature, parent as Element)
    requireAlgorithms(signature)
  }
  for (const owner of [root, assertion]) {
    if (signatures.filter(({ parentNode }) => parentNode === owner).length > 1) {
      throw refusal('it is signed more than once in one place')
    }
  }
  if (!signatures.some(({ parentNode }) => parentNode === assertion)) {
    throw refusal('its assertion is not signed: have the identity provider sign assertions')
  }
}

/** Requires that a signature refers to its parent element, and to nothing else. */
function requireOwnReference(signature: Element, parent: Element): void {
  const inside = allElements(signature)
  if (inside.some(({ localName }) => localName === 'Object')) {
    throw refusal('a signature of it carries a document of its own')
  }
  const references = inside.filter(({ localName }) => localName === 'Reference')
  const id = attribute(parent, 'ID')
  if (references.length !== 1 || id === null || attribute(references[0]!, 'URI') !== `#${id}`) {
    throw refusal('a signature of it is not about the element it stands in')
  }
}

function requireAlgorithms(signature: Element): void {
  for (const element of allElements(signature)) {
    const allowed = allowedAlgorithms.get(element.localName)
    const algorithm = attribute(element, 'Algorithm') ?? ''
    if (allowed !== undefined && !allowed.includes(algorithm)) {
      throw refusal(
        `it is signed with "${algorithm.slice(0, 100)}", which is not allowed: use RSA with SHA-256`,
      )
    }
  }
}

/** Returns an element and everything in it, in document order. */
export function allElements(root: Element): Element[] {
  const found: Element[] = []
  const visit = (element: Element, depth: number): void => {
    if (found.push(element) > limits.xmlElements || depth > limits.xmlDepth)
      throw refusal('it has too many elements')
    for (const child of childElements(element)) visit(child, depth + 1)
  }
  visit(root, 0)
  return found
}

function childElements(element: Element): Element[] {
  return Array.from(element.childNodes).filter(({ nodeType }) => nodeType === 1) as Element[]
}

export function childrenNamed(element: Element, namespace: string, name: string): Element[] {
  return childElements(element).filter((child) => isNamed(child, namespace, name))
}

function isNamed(element: Element, namespace: string, name: string): boolean {
  return element.localName === name && element.namespaceURI === namespace
}

/** Returns the attribute of this name without a namespace, null when there is none. */
export function attribute(element: Element, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null
}
