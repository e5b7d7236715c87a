/** Registry of the dialect: every tag with its construct. */
import { apiMethod, apiMethodParts } from './api-method.js'
import { branchNames } from './branches.js'
import { code } from './code.js'
import { codeTabs, codeTabsItem } from './code-tabs.js'
import { column, columns } from './columns.js'
import { branch, conditional } from './if.js'
import type { Construct } from './construct.js'
import { contentRef, pageRef } from './content-ref.js'
import { embed } from './embed.js'
import { file } from './file.js'
import { hint } from './hint.js'
import { include } from './include.js'
import { integration } from './integration.js'
import type { Ending } from './nodes.js'
import { openapi, openapiOperation, openapiSchemas, openapiWebhook } from './openapi.js'
import { prompt } from './prompt.js'
import { step, stepper } from './stepper.js'
import { swagger, swaggerDescription, swaggerParameter, swaggerResponse } from './swagger.js'
import { tab, tabs } from './tabs.js'
import { update, updates } from './updates.js'

const constructs: Readonly<Record<string, Construct>> = {
  ...apiMethodParts,
  ...Object.fromEntries(branchNames.map((name) => [name, branch])),
  'api-method': apiMethod,
  code,
  'code-tabs': codeTabs,
  'code-tabs-item': codeTabsItem,
  column,
  columns,
  'content-ref': contentRef,
  embed,
  file,
  hint,
  if: conditional,
  include,
  openapi,
  'openapi-operation': openapiOperation,
  'openapi-schemas': openapiSchemas,
  'openapi-webhook': openapiWebhook,
  'page-ref': pageRef,
  prompt,
  step,
  stepper,
  swagger,
  'swagger-description': swaggerDescription,
  'swagger-parameter': swaggerParameter,
  'swagger-response': swaggerResponse,
  tab,
  tabs,
  update,
  updates,
}

/** Returns the construct of a tag name; undefined for an unknown tag, which is then text. */
export function findConstruct(name: string): Construct | undefined {
  if (name.startsWith('@')) return name.includes('/') ? integration : undefined
  return Object.hasOwn(constructs, name) ? constructs[name] : undefined
}

/** Returns how a tag without an end tag ends. */
export function endingOf(name: string): Ending {
  const construct = findConstruct(name)
  return construct?.ending ?? (construct?.inside === undefined ? 'outer' : 'next part')
}
