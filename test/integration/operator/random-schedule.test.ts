import { describeSchedules } from '../../crash/describe-schedules.ts';

describeSchedules([20_261_130], 40);
