/** First steps in the app: from an empty organization to a merged page, an invitation, an import. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { describeApp } from './app.js'
import { createPage, importFolder, merge, openSource, waitUntilSaved } from './steps.js'

describeApp('first steps', (app) => {
  test('lead from an empty organization to a merged page, by keyboard and mouse', async () => {
    const page = await app.openTab('/')
    await page.getByRole('button', { name: 'New space' }).first().click()
    await page.getByLabel('Name').fill('Handbook')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.waitForURL(/\/s\/\w+\//)
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.keyboard.press('e')
    await page.waitForURL(/\/~\/changes\/1\//)
    await page.getByLabel('Subject of the change request').fill('Explain how to install')
    await page.keyboard.press('Enter')
    await createPage(page, 'Install it')
    await page.waitForURL(/install-it$/)
    await openSource(page)
    await page.keyboard.type('Run the installer.')
    await page.waitForTimeout(500)
    await waitUntilSaved(page)
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.locator('.comparison-row', { hasText: 'Install it' }).waitFor()
    await merge(page)
    await page.getByRole('treeitem', { name: 'Install it' }).click()
    await page.getByText('Run the installer.').waitFor()
  })

  test('lead an invited person into the organization', async () => {
    await app.newChange('Team notes', '# Notes\n')
    const link = await app.invite('ben@example.com')
    const context = await app.signIn(link)
    const page = await app.openTab('/', context)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByRole('link', { name: 'Team notes' }).first().waitFor()
    await context.close()
  })

  test('import a folder of this computer as a space', async () => {
    const source = join(app.folder, 'my-docs')
    mkdirSync(join(source, 'guide'), { recursive: true })
    writeFileSync(join(source, 'README.md'), '# Welcome\n\nSee [first](guide/first.md).\n')
    writeFileSync(join(source, 'guide/first.md'), '# First steps\n\nOne.\n')
    const page = await app.openTab('/')
    await importFolder(page, source)
    await page.getByRole('treeitem', { name: 'Welcome' }).waitFor()
    await page.getByText('See').waitFor()
  })
})
