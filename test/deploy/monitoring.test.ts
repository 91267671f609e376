import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { findPromtool } from '../../dev/binaries/find-promtool.ts';
import { runCommand } from '../../dev/processes/run-command.ts';
import { failureReasons, progressReasons } from '../../domain/status/reasons.ts';
import { conditionTypes } from '../support/condition-types.ts';
import { exportedMetrics, scrapeLabels } from '../support/exported-metrics.ts';
import { namesIn } from '../support/promql.ts';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const folder = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));
const read = (path: string): Promise<string> =>
  readFile(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

const rules = (
  parse(await read('prometheus/alerts.yaml')) as { groups: readonly { rules: readonly AlertRule[] }[] }
).groups.flatMap((group) => group.rules);
const ruleTests = parse(await read('prometheus/alerts.test.yaml')) as {
  tests: readonly {
    alert_rule_test: readonly { alertname: string; exp_alerts: readonly unknown[] }[];
  }[];
};
const dashboard = JSON.parse(await read('grafana/knative-fleet.json')) as {
  panels: readonly Panel[];
  templating: { list: readonly { definition?: string }[] };
};
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);
const exported = await exportedMetrics();

describe('alert rules', () => {
  test('fire for what they are about and stay silent otherwise, as promtool evaluates them', async () => {
    const promtool = await findPromtool();
    await runCommand(promtool, ['check', 'rules', join(folder, 'alerts.yaml')]);
    const outcome = await runCommand(promtool, ['test', 'rules', join(folder, 'alerts.test.yaml')]);
    expect(outcome).toContain('SUCCESS');
  });

  test('fail their tests when an expression asks for something else', async () => {
    const promtool = await findPromtool();
    const copy = await mkdtemp(join(tmpdir(), 'alerts-'));
    try {
      await cp(folder, copy, { recursive: true });
      const text = await read('prometheus/alerts.yaml');
      await writeFile(join(copy, 'alerts.yaml'), text.replace('reason="SpokeUnreachable"', 'reason="Spoke"'));
      const outcome = runCommand(promtool, ['test', 'rules', join(copy, 'alerts.test.yaml')]);
      await expect(outcome).rejects.toThrow('KnativeFleetSpokeUnreachable');
    } finally {
      await rm(copy, { recursive: true });
    }
  });

  test.each(rules)('$alert is seen firing in a test', ({ alert }) => {
    const cases = ruleTests.tests.flatMap((ruleTest) => ruleTest.alert_rule_test);
    const firing = cases.filter(({ alertname, exp_alerts }) => alertname === alert && exp_alerts.length > 0);
    expect(firing).not.toEqual([]);
  });

  test.each(rules)('$alert names metrics and labels that are exported', ({ expr }) => {
    expect(strangersIn(expr)).toEqual([]);
  });

  test.each(rules)('$alert shows labels that its expression keeps', ({ expr, annotations }) => {
    const { grouping } = namesIn(expr);
    const shown = [
      ...Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g),
    ];
    expect(grouping).toEqual(expect.arrayContaining(shown.map(([, label]) => label)));
  });
});

describe('the dashboard', () => {
  test('has panels for every area and nothing empty', () => {
    expect(panels.length).toBeGreaterThan(25);
    for (const prefix of ['component', 'activity', 'cluster', 'credential', 'drift', 'abandoned', 'circuit'])
      expect(panels.some(({ expr }) => expr.includes(`knative_fleet_${prefix}`))).toBe(true);
  });

  test.each(panels)('panel $title names metrics and labels that are exported: $expr', ({ expr }) => {
    expect(strangersIn(expr)).toEqual([]);
  });

  test('its expressions are valid PromQL', async () => {
    const promtool = await findPromtool();
    const copy = await mkdtemp(join(tmpdir(), 'dashboard-'));
    const file = join(copy, 'rules.yaml');
    const asRules = panels.map(({ expr }, index) => ({
      record: `panel:${String(index)}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$spoke', '.*'),
    }));
    try {
      await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules: asRules }] }));
      const outcome = await runCommand(promtool, ['check', 'rules', file]);
      expect(outcome).toContain(`${String(panels.length)} rules found`);
    } finally {
      await rm(copy, { recursive: true });
    }
  });

  test('its variables read labels that are exported', () => {
    const definitions = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
    for (const definition of definitions) {
      const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(definition) ?? [];
      expect(exported.get(metric)).toContain(label);
    }
    expect(definitions).toHaveLength(1);
  });
});

test('reasons and conditions in rules and panels are ones that resources show', () => {
  const reasons = new Set<string>([
    ...Object.values(failureReasons).map(({ reason }) => reason),
    ...Object.keys(progressReasons),
  ]);
  for (const { expr } of [...rules, ...panels]) {
    for (const [, label, value = ''] of expr.matchAll(/(reason|condition)(?:=~|!~|!=|=)"([^"]+)"/g))
      for (const name of value.split('|'))
        expect(label === 'reason' ? reasons.has(name) : conditionTypes.includes(name)).toBe(true);
  }
});

/** Metrics and labels of an expression that nobody exports. */
function strangersIn(expression: string): readonly string[] {
  const { metrics, grouping } = namesIn(expression);
  expect(metrics).not.toEqual([]);
  const strange = metrics.flatMap(({ name, labels }) => {
    const known = exported.get(name);
    if (known === undefined) return [name];
    return labels
      .filter((label) => ![...known, ...scrapeLabels].includes(label))
      .map((label) => `${name}{${label}}`);
  });
  const any = metrics.flatMap(({ name }) => exported.get(name) ?? []);
  return [...strange, ...grouping.filter((label) => ![...any, ...scrapeLabels].includes(label))];
}
