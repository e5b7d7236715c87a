/** Layout of pages that belong to no site: the home page, sign-in, errors. */
import type { SiteView } from '../../site/layout/view.js'
import { assetAddresses } from './assets.js'

export async function productFrame(): Promise<SiteView> {
  const { stylesheet, blocksStylesheet, plainStylesheet, script } = await assetAddresses()
  return {
    title: 'Octavo',
    href: '/',
    language: 'en',
    stylesheets: [stylesheet],
    blocksStylesheet,
    plainStylesheet,
    script,
    theme: { default: 'system', toggleable: true, corners: 'rounded' },
  }
}
