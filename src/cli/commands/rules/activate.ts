import { assetCommand, connectToAsset } from '../../connection.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';

/** `dq rules enable`. */
export const enableRules = (session: Session) => activation(session, 'enable', true);

/** `dq rules disable`. */
export const disableRules = (session: Session) => activation(session, 'disable', false);

const activation = (session: Session, name: 'enable' | 'disable', isActive: boolean) =>
  assetCommand(name)
    .description(isActive ? 'check rules again' : 'stop checking rules, and keep them with their results')
    .argument('<rule-id...>', 'the uuids of the rules, v_…')
    .addHelpText(
      'after',
      `
Examples:
  $ dq rules ${name} v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f`,
    )
    .action(async (ruleIds, options) => {
      const { client, asset } = await connectToAsset(options);
      const changed: string[] = [];
      for (const ruleId of new Set(ruleIds)) {
        await client.validity.update(asset, ruleId, { is_active: isActive }, { signal: session.signal });
        changed.push(ruleId);
        session.progress = `${name}d ${changed.join(', ')}`;
      }
      print(
        options.json,
        { [`${name}d`]: changed },
        () => `${isActive ? 'Enabled' : 'Disabled'} ${changed.join(', ')}.`,
      );
    });
